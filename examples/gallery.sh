#!/usr/bin/env bash
# gallery.sh PROGRAM FOLDER: runs every example of the table in README.md and makes FOLDER/index.html, which shows them.
# A plot is drawn of the channels in the table's last column; an example without any is only listed.
set -euo pipefail
program=$(readlink -f "$1") here=$(dirname "$(readlink -f "$0")")
mkdir -p "$2"
out=$(readlink -f "$2")
index=$out/index.html

cat >"$index" <<'HEAD'
<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Trunnion: examples</title>
<style>
:root { color-scheme: light dark; --line: #d5dae2; --soft: #5b6575 }
@media (prefers-color-scheme: dark) { :root { --line: #343b47; --soft: #9aa4b5 } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1080px; margin: 2rem auto; padding: 0 1rem }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(460px, 100%), 1fr)); gap: 1rem }
article { border: 1px solid var(--line); border-radius: 10px; padding: 1rem }
h2 { font-size: 1.1rem; margin: 0 0 .4rem } p { margin: .4rem 0; color: var(--soft) } img { width: 100% }
</style>
<h1>Examples</h1><main>
HEAD

clean() { sed -e 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/`//g' <<<"$1" | xargs -0 echo -n | sed -e 's/^ *//; s/ *$//'; }

while IFS='|' read -r _ folder teaches channels _; do
  folder=$(clean "$folder")
  [[ -d $here/$folder ]] || continue
  {
    echo "<article><h2>$folder</h2><p>$(clean "$teaches")</p>"
    channels=$(clean "$channels")
    if [[ -n $channels ]]; then
      for script in "$here/$folder"/*.acf; do
        name=$(basename "$script" .acf)
        "$program" run "$script" --out "$out" >&2
        "$program" plot "$out/$name.h5" "$channels" -o "$out/$name.svg" >&2
        picture="<img src=\"$name.svg\" alt=\"$channels\">"
        if "$program" view "$out/$name.h5" >&2; then picture="<a href=\"$name.html\">$picture See it move</a>"; fi
        echo "$picture"
      done
    fi
    echo "</article>"
  } >>"$index"
done < <(grep '^| `' "$here/README.md")
echo "</main></html>" >>"$index"
echo "$index" >&2
