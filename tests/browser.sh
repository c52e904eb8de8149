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
# Two beams, one tapered and flat, one round, with a weight: in motion, in statics and in modes.
cat >"$folder/whip.adm" <<'MODEL'
elastic frame that swings
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
MATERIAL/1, YOUNGS_MODULUS=2E9, POISSONS_RATIO=0.3, DENSITY=1200
FE_PART/2, TYPE=3DBEAM, MATERIAL=1, NODE_LABELS=1, 2, SUBDIVIDE=8
, COORDINATES=1, 0,0,0, 0,0,0, 2, 1,0,0, 0,0,0
, SECTION=1, 6E-4, 2E-8, 4.5E-8, 0, 4.5E-8, 2, 3E-4, 2.5E-9, 2.25E-8, 0, 8E-9
, CRATIOK=1E-4
FE_PART/4, TYPE=3DBEAM, MATERIAL=1, NODE_LABELS=1, 2, SUBDIVIDE=6
, COORDINATES=1, 1,0,0, 90D,0,0, 2, 1,0.6,0, 90D,0,0
, SECTION=1, 3.14E-4, 7.85E-9, 7.85E-9, 0, 1.57E-8, 2, 3.14E-4, 7.85E-9, 7.85E-9, 0, 1.57E-8
, CRATIOK=1E-4
MARKER/21, FE_PART=2, NODE_LABEL=1
MARKER/22, FE_PART=2, NODE_LABEL=2, QP=1,0,0
MARKER/31, FE_PART=4, NODE_LABEL=1, QP=1,0,0
MARKER/32, FE_PART=4, NODE_LABEL=2, QP=1,0.6,0
PART/3, MASS=0.4, CM=40, IP=1E-3,1E-3,1E-3, QG=1,0.6,0
MARKER/40, PART=3
GRAPHICS/1, ELLIPSOID, CM=40, XSCALE=0.14, YSCALE=0.14, ZSCALE=0.14
JOINT/1, FIXED, I=21, J=1
JOINT/2, FIXED, I=31, J=22
JOINT/3, FIXED, I=40, J=32
ACCGRAV/KGRAV=-9.80665
INTEGRATOR/HHT, ERROR=1E-5
END
MODEL
cat >"$folder/whip.acf" <<SCRIPT
$folder/whip.adm
whip
SIMULATE/DYNAMICS, END=1, STEPS=200
SIMULATE/STATICS
LINEAR/EIGENSOL, COORDS=1,8
STOP
SCRIPT
"$program" run "$folder/whip.acf" --out "$folder" --no-csv
"$program" view "$folder/whip.h5"
node "$root/tests/browser.mjs" "$folder/whip.html" "$folder/whip.png" beams
# Contacts: a ball that bounces, a box that rests, and the two against each other.
cat >"$folder/ball.adm" <<'MODEL'
balls on a tilted plane
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
MARKER/2, PART=1, QP=-300,-150,-20
GRAPHICS/1, BOX, CORNER=2, X=600, Y=300, Z=20
PART/2, MASS=0.2, CM=20, IP=32,32,32, QG=-150,0,150, VX=300
MARKER/20, PART=2
GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=40, YSCALE=40, ZSCALE=40
PART/3, MASS=1, CM=30, IP=800,800,800, QG=100,0,30
MARKER/30, PART=3
MARKER/31, PART=3, QP=-30,-30,-30
GRAPHICS/3, BOX, CORNER=31, X=60, Y=60, Z=60
CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E3, EXPONENT=1.5, DAMPING=0.5, DMAX=0.1, COULOMB_FRICTION=ON, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=5, FRICTION_TRANSITION_VELOCITY=20
CONTACT/2, IGEOM=3, JGEOM=1, IMPACT, STIFFNESS=1E3, EXPONENT=1.5, DAMPING=2, DMAX=0.1, COULOMB_FRICTION=ON, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=5, FRICTION_TRANSITION_VELOCITY=20
CONTACT/3, IGEOM=2, JGEOM=3, IMPACT, STIFFNESS=1E3, EXPONENT=1.5, DAMPING=0.5, DMAX=0.1
REQUEST/1, F1=SQRT(-1-TIME)
ACCGRAV/KGRAV=-9806.65
INTEGRATOR/HHT, ERROR=1E-4
END
MODEL
printf '%s\n' "$folder/ball.adm" ball 'SIMULATE/DYNAMICS, END=1, STEPS=300' STOP >"$folder/ball.acf"
"$program" run "$folder/ball.acf" --out "$folder" --no-csv
"$program" view "$folder/ball.h5"
node "$root/tests/browser.mjs" "$folder/ball.html" "$folder/ball.png" contacts
# A flexible arm with its mesh and stresses, where CalculiX is; the page comes from the store alone.
if command -v ccx >/dev/null; then
  rm -rf "$folder/arm" && mkdir "$folder/arm"
  python3 "$root/tests/flexible_arm.py" "$folder/arm"
  (cd "$folder/arm" && "$program" flex arm.inp --rbe2 LEFT,RIGHT --modes 12 --stress)
  "$program" run "$folder/arm/swing.acf" --out "$folder" --no-csv
  rm -rf "$folder/arm"
  "$program" view "$folder/swing.h5"
  node "$root/tests/browser.mjs" "$folder/swing.html" "$folder/swing.png" flexible
fi
# Two runs in one page, and results that the commercial tool's file holds.
"$program" run "$root/examples/four-bar/four_bar.acf" --out "$folder" --prefix again --files h5,res
"$program" view "$folder/four_bar.h5" --overlay "$folder/again.h5" -o "$folder/two.html"
node "$root/tests/browser.mjs" "$folder/two.html"
"$program" view "$folder/again.res" --model "$root/examples/four-bar/four_bar.adm"
node "$root/tests/browser.mjs" "$folder/again.html"
if [[ -n $picture ]]; then cp "$folder/four_bar.png" "$picture"; fi
