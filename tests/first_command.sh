#!/usr/bin/env bash
# first_command.sh SCRATCH: on a machine without GoogleTest, GoogleMock and benchmark ./run configures and compiles, and ./test's
# preset says what to install. CMake is kept from finding them; Debian's libgtest-dev without libgmock-dev is played by a package
# that has the one target and not the other.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
scratch=$1
rm -rf "$scratch"
mkdir -p "$scratch"/{tree,bin,gtest}
scratch=$(readlink -f "$scratch")
fail() { echo "first_command: $*" >&2; exit 1; }
hidden=(-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_GMock=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON)
echo 'add_library(GTest::gtest INTERFACE IMPORTED)' >"$scratch/gtest/GTestConfig.cmake"

# The tree as it is checked out, but for what was built; run itself is copied, for it looks for the tree where it lies.
for file in "$root"/*; do
  case ${file##*/} in build) ;; run) cp "$file" "$scratch/tree/" ;; *) ln -s "$file" "$scratch/tree/" ;; esac
done
# ./run with a cmake that hides the packages, and a ninja that builds one small library instead of everything.
cat >"$scratch/bin/cmake" <<END
#!/bin/sh
exec $(command -v cmake) "\$@" ${hidden[*]} -DTRUNNION_PCH=OFF
END
cat >"$scratch/bin/ninja" <<END
#!/bin/sh
if [ "\$1" = -C ] && [ "\$5" = trunnion ]; then
  $(command -v ninja) -C "\$2" trunnion_core
  exit 1
fi
exec $(command -v ninja) "\$@"
END
chmod +x "$scratch"/bin/*
PATH="$scratch/bin:$PATH" "$scratch/tree/run" --version >"$scratch/run.log" 2>&1 || true
built=$scratch/tree/build/release
[[ -f $built/src/core/libtrunnion_core.a ]] || { cat "$scratch/run.log" >&2; fail "./run did not compile"; }
! grep -qE 'test_core|bench_|gtest' "$built/build.ninja" || fail "./run configured tests or benchmarks"
! grep -q Werror "$built/build.ninja" || fail "./run treats warnings as errors"

# What a pipe shows of a build, and that ./test takes a warning for a failure.
# shellcheck source=cmake/bootstrap.sh
source "$root/cmake/bootstrap.sh"
progress_seconds=0
shown=$(printf '[1/3] one\n[2/3] two\na.cpp:1: warning: unused [-Wunused]\n' | show_progress program 2>&1)
[[ $shown == *"building (program) 2/3"* && $shown == *"a.cpp:1: warning"* ]] || fail "progress: $shown"
# A line is shown when it comes, not with those that follow.
{ printf '[1/9] one\n'; sleep 5; } | show_progress program 2>"$scratch/shown" &
for _ in {1..40}; do
  if [[ -s $scratch/shown ]]; then break; fi
  sleep 0.1
done
grep -q "building (program)" "$scratch/shown" || fail "progress is shown late"
wait
strict=1
if printf 'a.cpp:1: warning: unused [-Wunused]\n' | show_progress program 2>/dev/null; then fail "a warning passed"; fi

# configures PRESET ARGUMENT...
configures() {
  local preset=$1
  shift
  cmake -S "$root" --preset "$preset" -B "$scratch/$preset" "$@" >"$scratch/$preset.log" 2>&1
}
configures program "-DGTest_DIR=$scratch/gtest" || fail "the program needs GoogleMock"
# what it said, in one line
said() { tr -s '\n ' ' ' <"$scratch/release.log"; }
if configures release "${hidden[@]}"; then fail "the tests were configured without GoogleTest"; fi
said | grep -qF "The tests need GTest::gtest, which is not installed. On Debian: apt-get install libgtest-dev libgmock-dev" ||
  fail "without GoogleTest: $(said)"
rm -r "$scratch/release"
if configures release "-DGTest_DIR=$scratch/gtest"; then fail "the tests were configured without GoogleMock"; fi
said | grep -qF "The tests need GTest::gmock, which is not installed." || fail "without GoogleMock: $(said)"
rm -r "$scratch/release"
if configures release -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON; then fail "benchmarks were configured without the library"; fi
said | grep -qF "The benchmarks need benchmark::benchmark, which is not installed. On Debian: apt-get install libbenchmark-dev" ||
  fail "without benchmark: $(said)"
