#!/usr/bin/env python3
"""Fails where two files of a folder define the same name in their unnamed namespaces.

    one_meaning.py [ROOT]       check src/ and apps/ below ROOT (this repository unless given)
    one_meaning.py --self-test  show that a name given twice is caught, and overloads and shared headers are not

The files of a folder are compiled together (TRUNNION_UNITY). A clash would show only where both files happen to be in one batch,
so that a new file could break two others.
"""

import collections
import pathlib
import re
import sys
import tempfile

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
CONSTANT = re.compile(r"(?:constexpr|const|static|inline)[^=({]*?\b(\w+)\s*(?:=|\{|\[)")
TYPE = re.compile(r"(?:class|struct|enum class)\s+(\w+)\s*(?!;)")
FUNCTION = re.compile(r"(?:template <[^>]*> )?[\w:<>,&* ]+?\b(\w+)\((.*)")
MEMBER = re.compile(r"\w::~?\w+$")
PARAMETER_NAME = re.compile(r"\b\w+(?=[,)])")


def defined(line):
    """The name a line at the namespace's own level defines, a function's with the types of its parameters; or None."""
    if not line or line[0] in " }#":
        return None
    for pattern in (CONSTANT, TYPE):
        if match := pattern.match(line):
            return match.group(1)
    if MEMBER.search(line.split("(")[0]):  # its class is what must be unique
        return None
    if match := FUNCTION.match(line):
        return f"{match.group(1)}({PARAMETER_NAME.sub('', match.group(2).split('{')[0])}"
    return None


def names_of(text):
    lines = [line for space in UNNAMED.finditer(text) for line in re.sub(r"//[^\n]*", "", space.group(1)).split("\n")]
    return {name for line in lines if (name := defined(line))}


def clashes(root):
    """Lines to print, one for each name."""
    found = []
    for folder in sorted((root / "src").glob("*/")) + [root / "apps"]:
        files = collections.defaultdict(list)
        for path in sorted(folder.rglob("*.cpp")):
            for name in names_of(path.read_text(encoding="utf-8")):
                files[name].append(str(path.relative_to(root)))
        found += [f"{name.split('(')[0]} is defined in {' and '.join(paths)}" for name, paths in sorted(files.items()) if len(paths) > 1]
    return found


def self_test():
    cases = [
        ("constexpr int kTwo = 2;", "constexpr double kTwo = 2;", 1),
        ("int twice(int a) {\n  return 2 * a;\n}", "int twice(int b) { return b + b; }", 1),
        ("struct Pair {\n};", "struct Pair {};", 1),
        ("int twice(int a) { return 2 * a; }", "int twice(double a) { return 2; }", 0),
        ("int one() {\n  int same = 1;\n  return same;\n}", "int two() {\n  int same = 2;\n  return same;\n}", 0),
    ]
    for first, second, wanted in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src/core").mkdir(parents=True)
            (root / "apps").mkdir()
            for name, text in (("a", first), ("b", second)):
                (root / f"src/core/{name}.cpp").write_text(f"namespace {{\n\n{text}\n\n}}  // namespace\n")
            assert len(clashes(root)) == wanted, (first, second, clashes(root))


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    found = clashes(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    for line in found:
        print(f"{line}: rename one, or put what they share into a header")
    return 1 if found else 0


sys.exit(main())
