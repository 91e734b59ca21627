/**
 * A hook as a POSIX shell script with a time limit, for an agent that waits for its hooks without one (Cline). The other
 * agents have a limit in their settings. Both act outside of the hook's own process, so they hold when that cannot:
 * when the disk of the data folder hangs, even the launcher cannot be read (GW-1).
 */

/** Longer than the deadline of the hook itself, also on a busy computer. */
const LIMIT_SECONDS = 5

/**
 * `mark`: one line of text. `command`: what the shell runs, ending with the `exec` of what is to be limited; it gets the
 * script's stdin. What it prints is passed on when it ends in time, and its errors are discarded.
 */
export function limitedScript(mark: string, command: string, seconds = LIMIT_SECONDS): string {
  // The hook looks for the agent above its parent, which is this script. A shell gives its background jobs no stdin,
  // unless it is another descriptor. `wait` ends at a signal with a trap, also while the hook is in a call that nothing
  // can interrupt. The hook prints to a file: an agent waits for the end of a pipe, which a hook that hangs holds open.
  return `#!/bin/sh
# ${mark}
export DRIFTLINE_HOOK_PARENT=$PPID
exec 3<&0 4>&1 >/dev/null 2>&1
answer=$(mktemp)
trap 'kill -9 $hook; rm -f "$answer"; exit 0' TERM
{ ${command}; } <&3 >"\${answer:-/dev/null}" 3<&- 4>&- &
hook=$!
{ sleep ${seconds} && kill -TERM $$; } 3<&- 4>&- &
limit=$!
wait $hook
kill $limit
[ -s "$answer" ] && cat "$answer" >&4
rm -f "$answer"
exit 0
`
}
