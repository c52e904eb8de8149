# shellcheck shell=bash
# Shared by ./run and ./test, which set root and source this file.
: "${root:?}"

# ccache's own place, unless this user cannot write there.
if [[ -z ${CCACHE_DIR-} && ! -w ${XDG_CACHE_HOME:-${HOME:-/}} ]]; then export CCACHE_DIR="$root/build/ccache"; fi

say() { echo "trunnion: $*" >&2; }
die() { say "$@"; exit 1; }

# missing_packages SET...: those of cmake/packages.txt's SETs that Debian does not have installed, one a line.
missing_packages() {
  local wanted
  wanted=$(awk -v sets=" $* " '/^[a-z]/ && index(sets, " " $1 " ") { print $2, $3 }' "$root/cmake/packages.txt" |
    while read -r package provided; do
      if [[ -z $provided ]] || ! command -v "$provided" >/dev/null; then echo "$package"; fi
    done)
  if [[ -z $wanted ]]; then return; fi
  # shellcheck disable=SC2086  # one word a package
  { dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null || true; } |
    awk -v wanted="$wanted" '$1 == "ii" { have[$2] = 1 }
      END { n = split(wanted, w, "\n"); for (i = 1; i <= n; i++) if (!(w[i] in have)) print w[i] }'
}

# need_packages SET...: install what is missing. A copy of the list under build/ remembers that nothing is.
need_packages() {
  local stamp="$root/build/.packages-$*" list missing as_root=() line
  list=$(<"$root/cmake/packages.txt")
  if [[ -f $stamp && $(<"$stamp") == "$list" ]]; then return; fi
  if ! command -v dpkg-query >/dev/null; then
    say "this is not Debian: going on with what is installed (cmake/packages.txt lists what is needed)"
    return
  fi
  missing=$(missing_packages "$@" | tr '\n' ' ')
  missing=${missing% }
  mkdir -p "$root/build"
  if [[ -n $missing ]]; then
    line="apt-get install -y --no-install-recommends $missing"
    if ((EUID != 0)); then
      if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
        as_root=(sudo)
      else
        say "these packages are missing, and installing them needs root. As root, run"
        die "  apt-get update && $line"
      fi
    fi
    say "installing $missing"
    # shellcheck disable=SC2086
    if ! { "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 ${line#apt-get }; } \
      >"$root/build/apt.log" 2>&1; then
      tail -n 20 "$root/build/apt.log" >&2
      die "installing failed (build/apt.log). The line was: apt-get update && $line"
    fi
    touch "$root/build/.installed"
  fi
  echo "$list" >"$stamp"
}

# folder_of PRESET: the program alone is built where release is, so that ./test goes on from what ./run compiled.
folder_of() { if [[ $1 == program ]]; then echo "$root/build/release"; else echo "$root/build/$1"; fi; }

# configure PRESET: if it never was, or if the preset or the installed packages changed since. A folder that is configured for
# release has the program too.
configure() {
  local dir stamp
  dir=$(folder_of "$1") stamp=$dir/.configured
  if [[ -f $dir/build.ninja && -f $stamp && ($1 == program || $(<"$stamp") == "$1") &&
    ! $root/CMakePresets.json -nt $stamp && ! $root/build/.installed -nt $stamp ]]; then return; fi
  say "configuring ($1) …"
  mkdir -p "$dir"
  if ! cmake -S "$root" --preset "$1" >"$dir/configure.log" 2>&1; then
    cat "$dir/configure.log" >&2
    say "configuring failed (${dir#"$root"/}/configure.log)"
    return 1
  fi
  echo "$1" >"$stamp"
}

# Ninja's output: nothing when there was nothing to do, a counter (elsewhere than on a terminal a line every progress_seconds), and
# whatever the compiler said. Where strict is set, a warning fails the build.
strict='' progress_seconds=10
show_progress() {
  local tty=0 awk=(awk)
  if [[ -t 2 ]]; then tty=1; fi
  # mawk, Debian's awk, waits for 4 kB of a pipe unless told otherwise; others do not know the option.
  if [[ $(readlink -f "$(command -v awk)") == *mawk* ]]; then awk+=(-W interactive); fi
  "${awk[@]}" -v preset="$1" -v tty="$tty" -v strict="$strict" -v every="$progress_seconds" '
    skip { skip = 0; next }
    /^\[[0-9]+\/[0-9]+\] Re-/ || /^-- / || /^ninja: (no work|Entering)/ { next }
    /^\[[0-9]+\/[0-9]+\]/ {
      if (!said) { print "trunnion: building (" preset ") …"; said = 1 }
      if (tty) printf "\r\033[K%s", substr($0, 1, 78)
      else if (systime() >= last + every) {
        if (last) print "trunnion: building (" preset ") " substr($1, 2, length($1) - 2)
        last = systime()
      }
      fflush(); open = tty; next
    }
    { if (open) printf "\r\033[K"; open = 0; print; fflush() }
    /: warning: .*\[-W/ { warned = 1 }
    /^FAILED: / { skip = 1 } # the whole command; build/PRESET/compile_commands.json has it
    END { if (open) printf "\r\033[K"; if (warned && strict) { print "trunnion: the compiler warned"; exit 1 } }' >&2
}

# build PRESET TARGET...: configure and build, one at a time for each preset.
build() (
  preset=$1 dir=$(folder_of "$1")
  shift
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock-${dir##*/}"
  if ! flock -n 9; then
    say "waiting for another build ($preset) …"
    flock 9
  fi
  configure "$preset" || exit 1
  set -o pipefail
  ninja -C "$dir" -j "$(nproc)" "$@" 2>&1 | show_progress "$preset"
)
