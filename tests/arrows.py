#!/usr/bin/env python3
"""Fails on an #include between our folders that no arrow of the design allows, and on words that are to stay in one folder.

    arrows.py [ROOT]       check src/, apps/ and python/ below ROOT (this repository unless given)
    arrows.py --self-test  show that a forbidden include is caught and an allowed one is not
"""

import pathlib
import re
import sys
import tempfile

# Folder: the folders an arrow leads to it from. What those may include, it may include too.
ARROWS = {
    "core": [],
    "math": ["core"],
    "sparse": ["math"],
    "formulas": ["core"],
    "model": ["core", "formulas"],
    "lang": ["model"],
    "expr": ["core", "math"],
    "assembly": ["core", "math"],
    "elements": ["assembly", "expr"],
    "system": ["elements", "model", "sparse"],
    "solve": ["system"],
    "integrate": ["solve"],
    "analysis": ["integrate"],
    "results": ["core", "system"],
    "flex": ["core", "sparse", "results"],
    "api": ["analysis", "results", "lang", "flex"],
    "apps": ["api"],
    "python": ["api"],
}
OUTSIDE_SRC = ("apps", "python")
NOBODY_INCLUDES = ("tests", "bench", "cmake")
# A word, the folders below src/ that may say it, and what the others ask instead.
WORDS = [
    (re.compile(r"\bBlockKind\b"), ["assembly"], "facts of the block: rotation, plane, is_body(), dynamics"),
    (re.compile(r"\bdynamic_cast\b"), [], "a virtual function, or what the element says of itself"),
    (re.compile(r"\b(?:klu|btf|amd|umf|dmumps|mumps)_\w+|\bDMUMPS\w*"), ["sparse"], "sparse::Factorisation"),
]
SUFFIXES = {".cpp", ".hpp", ".h", ".def", ".inc"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
# Comments go (their line breaks stay), literals are matched so that a "//" inside one is not taken for a comment.
COMMENT_OR_LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def reachable(folder):
    """All folders that `folder` may include, itself too."""
    seen, todo = set(), [folder]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(ARROWS[name])
    return seen


def without_comments(text):
    def blank(match):
        found = match.group()
        return found if found.startswith('"') else "\n" * found.count("\n")

    return COMMENT_OR_LITERAL.sub(blank, text)


def folder_of(path, root):
    """The name of our folder that holds `path`, or None for a path that is not ours."""
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        return None
    if len(parts) > 2 and parts[0] == "src":
        return parts[1]
    if len(parts) > 1 and parts[0] in OUTSIDE_SRC + NOBODY_INCLUDES:
        return parts[0]
    return None


def target_folder(include, quoted, source, root):
    """The folder an include leads to, found as the compiler would: beside the file, then below src/."""
    candidates = [source.parent / include] if quoted else []
    for candidate in candidates + [root / "src" / include]:
        if candidate.is_file():
            return folder_of(candidate.resolve(), root)
    first = include.split("/")[0]
    return first if "/" in include and first in ARROWS else None


def check(root):
    """A list of messages, empty when every include follows an arrow."""
    root = root.resolve()
    problems = []
    tops = [root / "src"] + [root / name for name in OUTSIDE_SRC]
    files = sorted(path for top in tops if top.is_dir() for path in top.rglob("*") if path.suffix in SUFFIXES)
    for source in files:
        shown = source.relative_to(root)
        folder = folder_of(source, root)
        if folder not in ARROWS:
            problems.append(f"{shown}: folder '{folder}' is not drawn in the design; give it its arrows in tests/arrows.py")
            continue
        allowed = reachable(folder)
        text = without_comments(source.read_text(encoding="utf-8", errors="replace"))
        for match in INCLUDE.finditer(text):
            quoted = match.group(1) is not None
            include = match.group(1) or match.group(2)
            target = target_folder(include, quoted, source, root)
            if target is None or target in allowed:
                continue
            line = text.count("\n", 0, match.start(1 if quoted else 2)) + 1
            problems.append(
                f'{shown}:{line}: #include "{include}" needs the arrow {target} ← {folder}, which is not drawn; '
                f"{folder} may include {', '.join(name for name in ARROWS if name in allowed)}"
            )
        if shown.parts[0] != "src":
            continue
        for word, folders, instead in WORDS:
            for match in word.finditer(text) if folder not in folders else []:
                line = text.count("\n", 0, match.start()) + 1
                where = f"stays in {', '.join(folders)}" if folders else "is not used"
                problems.append(f"{shown}:{line}: '{match.group()}' {where}; ask {instead}")
    return problems


def self_test():
    """Each case: a file, its text, and the arrow that the message must name (None: no message)."""
    cases = [
        ("src/core/a.hpp", '#pragma once\n#include "math/so3.hpp"\n', "src/core/a.hpp:2", "math ← core"),
        ("src/math/a.cpp", '#include "core/b.hpp"\n#include <Eigen/Dense>\n#include <vector>\n', None, None),
        ("src/lang/a.cpp", '#include "core/b.hpp"\n', None, None),  # through model
        ("src/lang/b.cpp", '/* two\nlines */\n#  include "expr/parse.hpp"\n', "src/lang/b.cpp:3", "expr ← lang"),
        ("src/model/a.cpp", '// #include "lang/schema.hpp"\n/*\n#include "lang/schema.hpp"\n*/\n', None, None),
        ("src/model/b.cpp", 'auto s = "//";\n#include <lang/schema.hpp>\n', "src/model/b.cpp:2", "lang ← model"),
        ("src/expr/deep/a.cpp", '#include "../../model/b.cpp"\n', "src/expr/deep/a.cpp:1", "model ← expr"),
        ("src/expr/deep/b.cpp", '#include "a.cpp"\n#include "../../math/a.cpp"\n', None, None),
        ("src/results/a.cpp", '#include "elements/joint.hpp"\n#include "solve/newton.hpp"\n', "src/results/a.cpp:2",
         "solve ← results"),
        ("src/api/a.cpp", '#include "integrate/tables/bdf.hpp"\n#include "apps/main.hpp"\n', "src/api/a.cpp:2",
         "apps ← api"),
        ("apps/main.cpp", '#include "api/a.hpp"\n#include "core/b.hpp"\n#include "lang/schema.hpp"\n', None, None),
        ("src/novel/a.cpp", "int x;\n", "src/novel/a.cpp", "not drawn"),
        ("src/solve/a.cpp", "// BlockKind\nint x;\nauto k = assembly::BlockKind::rigid;\n", "src/solve/a.cpp:3", "BlockKind"),
        ("src/assembly/a.cpp", "auto k = BlockKind::rigid;\n", None, None),
        ("src/system/a.cpp", "auto* f = dynamic_cast<F*>(e);\n", "src/system/a.cpp:1", "dynamic_cast"),
        ("src/sparse/a.cpp", "klu_factor(x);\n", None, None),
        ("src/analysis/a.cpp", "klu_factor(x);\n", "src/analysis/a.cpp:1", "klu_factor"),
    ]
    failures = []
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text, _, _ in cases:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        problems = check(root)
        for path, _, place, arrow in cases:
            found = [problem for problem in problems if problem.startswith(path)]
            if place is None:
                failures += [f"{path}: reported although allowed: {problem}" for problem in found]
            elif len(found) != 1 or not found[0].startswith(place + ":") or arrow not in found[0]:
                failures.append(f"{path}: expected one message at {place} naming '{arrow}', got {found}")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        problems = self_test()
    else:
        problems = check(pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
