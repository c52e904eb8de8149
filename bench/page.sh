#!/usr/bin/env bash
# page.sh PROGRAM FOLDER: a chain of 200 links, 2,000 frames: its page, the size of that, and what a frame of it costs.
set -euo pipefail
program=$(readlink -f "$1") folder=$2 here=$(dirname "$(readlink -f "$0")")
mkdir -p "$folder"
{
  printf 'Chain of 200 links\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n'
  for ((k = 2; k <= 201; ++k)); do
    printf 'PART/%d, MASS=0.1, CM=%d0, IP=1E-4,1E-4,1E-5, QG=%s,0,0\n' $k $k "$(awk "BEGIN { print ($k - 2) / 10 }")"
    printf 'MARKER/%d0, PART=%d, QP=0.05,0,0\nMARKER/%d1, PART=%d\nMARKER/%d2, PART=%d, QP=0.1,0,0\n' $k $k $k $k $k $k
    printf 'MARKER/%d3, PART=%d, REULER=90D,90D,0\n' $k $k
    before=$((k == 2 ? 10 : 10 * (k - 1) + 2))
    printf 'JOINT/%d, REVOLUTE, I=%d1, J=%d\nGRAPHICS/%d, CYLINDER, CM=%d3, LENGTH=0.1, RADIUS=0.012\n' $k $k $before $k $k
    printf 'SFORCE/%d, ROTATIONAL, I=%d1, J=%d, FUNCTION=-0.05*WZ(%d1,%d)\n' $k $k $before $k $before
  done
  printf 'ACCGRAV/JGRAV=-9.81\nEND\n'
} >"$folder/links.adm"
printf '%s\nlinks\nSIMULATE/DYNAMICS, END=4, STEPS=2000\nSTOP\n' "$folder/links.adm" >"$folder/links.acf"
"$program" run "$folder/links.acf" --out "$folder" --files h5
"$program" view "$folder/links.h5" --channels 'PART/*'
node "$here/page.mjs" "$folder/links.html"
