#!/usr/bin/env bash
# fuzz.sh PROGRAM SCRATCH SEEDS CORPUS EXTENSION: a short run from a fresh copy of SEEDS/* and CORPUS/**.EXTENSION,
# the same each time: what is green here is green elsewhere. For a long one leave out -runs and -seed.
# A failing input stays in SCRATCH.failed/ and can be given to PROGRAM as its argument.
set -euo pipefail
program=$1 scratch=$2 seeds=$3 corpus=$4 extension=$5

rm -rf "$scratch" "$scratch.failed"
mkdir -p "$scratch" "$scratch.failed"
if [[ -d $seeds ]]; then cp -r "$seeds/." "$scratch/"; fi
if [[ -d $corpus ]]; then
  find "$corpus" -name "*.$extension" -exec cp --no-preserve=mode --backup=numbered -t "$scratch" {} +
fi
exec "$program" -seed=1 -runs=1500 -max_total_time=90 -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 \
  -artifact_prefix="$scratch.failed/" "$scratch"
