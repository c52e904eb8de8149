#!/bin/sh
# build.sh NPM PAGE: fetch the modules where they are not there yet, and write the page. An empty page, and a message,
# where that cannot be done: the solver must build without a network.
cd "$(dirname "$0")" || exit 1
npm=$1 page=$2
if [ ! -d node_modules/esbuild ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  "$npm" ci --omit=dev --no-audit --no-fund --loglevel=error || modules=missing
fi
if [ -z "${modules-}" ] && node build.mjs "$page"; then exit 0; fi
echo "viewer/: the page could not be made (see above); trunnion is built without 'view'" >&2
: >"$page"
