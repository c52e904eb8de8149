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
# A boom of BEAMs on springs in millimetres without GRAPHICS of its own, with a spring of far too many coils, a statement that is
# not simulated, and a force that comes and goes.
python3 - "$folder" <<'MODEL'
import sys
pieces, length, radius = 6, 100.0, 10.0
area, moment = 3.14159265 * radius**2, 0.785398163 * radius**4
text = "boom\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
for k in range(1, pieces + 1):
    cm = 10 * (k + 1)
    text += (f"PART/{k + 1}, MASS=0.5, CM={cm}, IP=300,300,300, QG={k * length},0,0\nMARKER/{cm}, PART={k + 1}\n"
             f"BEAM/{k}, I={cm}, J={1 if k == 1 else cm - 10}, LENGTH={length}, AREA={area}, IYY={moment}, IZZ={moment}, "
             f"IXX={2 * moment}, EMODULUS=2E4, GMODULUS=8E3, CRATIO=1E-3\n")
text += ("MARKER/2, PART=1, QP=600,-300,0\nSPRINGDAMPER/1, TRANSLATION, I=70, J=2, K=5, C=0.1, LENGTH=300\n"
         "MARKER/3, PART=1, QP=200,-300,0\nSPRINGDAMPER/2, TRANSLATION, I=30, J=3, K=5, LENGTH=300\n"
         "GRAPHICS/1, SPDP, I=30, J=3, COILS=100000, DA=40\nGRAPHICS/2, ELLIPSOID, CM=70, XSCALE=90, YSCALE=90, ZSCALE=90\n"
         "MARKER/4, PART=1, QP=400,300,100\nSFORCE/1, TRANSLATION, I=50, J=4, FUNCTION=-20*SIN(20*TIME)\n"
         "CONTACT/1, IGEOM=2, JGEOM=2, IMPACT, STIFFNESS=1, DAMPING=1, EXPONENT=1.5, DMAX=1\n"
         "ACCGRAV/JGRAV=-9806.65\nINTEGRATOR/HHT, ERROR=1E-4\nEND\n")
open(f"{sys.argv[1]}/boom.adm", "w").write(text)
open(f"{sys.argv[1]}/boom.acf", "w").write(f"{sys.argv[1]}/boom.adm\nboom\nSIMULATE/DYNAMICS, END=0.2, STEPS=100\n"
    "DEACTIVATE/SFORCE, ID=1\nSIMULATE/DYNAMICS, END=0.4, STEPS=100\nACTIVATE/SFORCE, ID=1\nSIMULATE/DYNAMICS, END=0.6, STEPS=100\nSTOP\n")
MODEL
"$program" run "$folder/boom.acf" --out "$folder"
"$program" view "$folder/boom.h5" 2>&1 | tee "$folder/boom.txt"
grep -q '40 of its 100000 coils are drawn' "$folder/boom.txt"
node "$root/tests/browser.mjs" "$folder/boom.html" "$folder/boom.png" symbols
# Two runs in one page, and results that the commercial tool's file holds.
"$program" run "$root/examples/four-bar/four_bar.acf" --out "$folder" --prefix again --files h5,res
"$program" view "$folder/four_bar.h5" --overlay "$folder/again.h5" -o "$folder/two.html"
node "$root/tests/browser.mjs" "$folder/two.html"
"$program" view "$folder/again.res" --model "$root/examples/four-bar/four_bar.adm"
node "$root/tests/browser.mjs" "$folder/again.html"
if [[ -n $picture ]]; then cp "$folder/four_bar.png" "$picture"; fi
