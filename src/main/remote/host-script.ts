/**
 * What the shell of a host is sent on its stdin. It needs no more than POSIX, and is one command in braces, so a shell has
 * read all of it before it starts: what is sent after its first answer is for the programs it starts.
 *
 *   script: MARK ready                        the build that was asked for runs; what follows are frames
 *   or:     MARK system NAME MACHINE, MARK musl, MARK node VERSION PATH, MARK missing TOOL, MARK program PATH, MARK end
 *   near:   stop | run PATH | install BYTES ID NODE, then BYTES of a compressed tar archive
 *   script: MARK failed STEP, or MARK ready
 */

/** Where a build would look for its Node: first what the shell finds, then where installers put it. */
const NODES = [
  '"$(command -v node)"',
  '/usr/local/bin/node',
  '/opt/homebrew/bin/node',
  '"$HOME"/.volta/bin/node',
  '"$HOME"/.nvm/versions/node/*/bin/node'
].join(' ')

/** The script. `marker` is a word that nothing else prints; `build` is the build to run, "" for none. */
export function hostScript(marker: string, build: string): string {
  return `{
printf '\\n'
say() { printf '%s %s\\n' ${marker} "$*"; }
bridge() { say ready; exec "$1" bridge; }
umask 077
${DATA_FOLDER}
builds=$data/builds
[ -n '${build}' ] && [ -x "$builds/${build}/driftline" ] && bridge "$builds/${build}/driftline"
say system "$(uname -s)" "$(uname -m)"
for file in /lib/ld-musl-*; do [ -e "$file" ] && say musl; done
for node in ${NODES}; do [ -x "$node" ] && say node "$("$node" -v 2>/dev/null </dev/null)" "$node"; done
for tool in head tar gzip; do command -v "$tool" >/dev/null || say missing "$tool"; done
program=$(command -v driftline) && say program "$program"
for program in $(ls -1t "$builds" 2>/dev/null); do [ -x "$builds/$program/driftline" ] && say program "$builds/$program/driftline"; done
say end
IFS= read -r answer || exit 0
case $answer in
'run '*) bridge "\${answer#run }" ;;
'install '*) ;;
*) exit 0 ;;
esac
${INSTALL}
bridge "$builds/$id/driftline"
}
`
}

/** The same folder as dataDirOf (host/data-dir.ts). */
const DATA_FOLDER = `if [ -n "$DRIFTLINE_DATA" ]; then data=$DRIFTLINE_DATA
elif [ "$(uname -s)" = Darwin ]; then data="$HOME/Library/Application Support/Driftline"
else
  case $XDG_DATA_HOME in
  /*) data=$XDG_DATA_HOME/driftline ;;
  *) data=$HOME/.local/share/driftline ;;
  esac
fi`

/**
 * A build is made beside the others, tried, and renamed into place last, so a connection that is cut leaves none that is
 * half there. The one before it stays; a recorder of it is ended, because the launcher that hooks call names its build.
 * The app is not ended: it stays the recorder.
 */
const INSTALL = `set -- $answer
bytes=$2 id=$3
node=\${answer#"install $bytes $id "}
stage=$builds/.new.$$
fail() { rm -rf "$stage"; say failed "$1"; exit 1; }
find "$builds" -name '.new.*' -prune -mtime +0 -exec rm -rf {} + 2>/dev/null
mkdir -p "$stage" || fail folder
head -c "$bytes" | tar -xzf - -C "$stage" || fail unpack
[ "$node" = own ] && node=$stage/node
"$node" -e 'new (require(process.argv[1]))(":memory:")' "$stage/node_modules/better-sqlite3" </dev/null >&2 || fail start
[ -e "$builds/$id" ] && rm -rf "$builds/$id"
mv "$stage" "$builds/$id" || fail folder
ls -1t "$builds" | tail -n +3 | while IFS= read -r old; do rm -rf "$builds/$old"; done
"$builds/$id/driftline" recorder stop </dev/null >/dev/null 2>&1`
