#!/usr/bin/env bash
# browser.sh PROGRAM FOLDER [PICTURE]: runs examples, makes their pages and tries each in Chromium. Screenshots are left
# in FOLDER; PICTURE gets the one for the README.
set -euo pipefail
program=$(readlink -f "$1") folder=$2 picture=${3-}
root=$(dirname "$(dirname "$(readlink -f "$0")")")
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
if [[ ! -d $root/viewer/node_modules/puppeteer-core ]]; then
  (cd "$root/viewer" && npm ci --no-audit --no-fund --loglevel=error) || { echo "skipped: npm could not fetch puppeteer-core"; exit 77; }
fi
mkdir -p "$folder"
for example in four-bar/four_bar suspension/suspension slider-crank/slider_crank; do
  name=$(basename "$example")
  "$program" run "$root/examples/$example.acf" --out "$folder" --no-csv
  "$program" view "$folder/$name.h5" || { echo "skipped: built without the viewer"; exit 77; }
  modes=; if [[ $name == suspension ]]; then modes=modes; fi  # its script has LINEAR/EIGENSOL
  node "$root/tests/browser.mjs" "$folder/$name.html" "$folder/$name.png" $modes
done
# Two runs in one page, and results that the commercial tool's file holds.
"$program" run "$root/examples/four-bar/four_bar.acf" --out "$folder" --prefix again --files h5,res
"$program" view "$folder/four_bar.h5" --overlay "$folder/again.h5" -o "$folder/two.html"
node "$root/tests/browser.mjs" "$folder/two.html"
"$program" view "$folder/again.res" --model "$root/examples/four-bar/four_bar.adm"
node "$root/tests/browser.mjs" "$folder/again.html"
if [[ -n $picture ]]; then cp "$folder/four_bar.png" "$picture"; fi
