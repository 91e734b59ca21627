/**
 * A hook as a POSIX shell script with a time limit, for an agent that waits for its hooks without one (Cline). The other
 * agents have a limit in their settings. Both act outside of the hook's own process, so they hold when that cannot:
 * when the disk of the data folder hangs, even the launcher cannot be read (GW-1).
 */

/** Longer than the deadline of the hook itself, also on a busy computer. */
const LIMIT_SECONDS = 5

/**
 * `mark`: one line of text. `command`: what the shell runs, ending with the `exec` of what is to be limited; it gets the
 * script's stdin, and its output is discarded.
 */
export function limitedScript(mark: string, command: string, seconds = LIMIT_SECONDS): string {
  // The hook looks for the agent above its parent, which is this script. A shell gives its background jobs no stdin,
  // unless it is another descriptor. `wait` ends at a signal with a trap, also while the hook is in a call that nothing
  // can interrupt.
  return `#!/bin/sh
# ${mark}
export DRIFTLINE_HOOK_PARENT=$PPID
exec 3<&0 >/dev/null 2>&1
trap 'kill -9 $hook; exit 0' TERM
{ ${command}; } <&3 3<&- &
hook=$!
{ sleep ${seconds} && kill -TERM $$; } 3<&- &
limit=$!
wait $hook
kill $limit
exit 0
`
}
