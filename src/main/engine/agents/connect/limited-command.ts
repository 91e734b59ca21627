/**
 * A hook's command for POSIX shells with a time limit outside of the hook's own process, so that it holds when that
 * cannot: where the disk of the data folder hangs, neither the launcher can be read nor a signal ends whoever reads it
 * (GW-1). Agents have limits of their own, but longer ones, and some wait for the end of the process that they kill.
 */

/** Longer than the deadline of the hook itself (cli/hook.ts), also on a busy computer. */
export const LIMIT_SECONDS = 2

/** How every such command starts. */
export const LIMITED = '(export DRIFTLINE_HOOK_PARENT=$PPID DRIFTLINE_HOOK_SHELL=$$; '

/**
 * `call`: what the shell runs; it gets the shell's stdin, and its errors are discarded. `prints`: what it prints is
 * passed on when it ends in time, else discarded.
 */
export function limitedCommand(call: string, prints: boolean, seconds = LIMIT_SECONDS): string {
  // - The shell waits for `sleep`, which the hook's end kills: it could not wait for the first of two. Without `sleep`
  //   (127) it waits for the hook. One that is late must not kill whatever has the number of `sleep` by then.
  // - Background jobs get no stdin, unless it is another descriptor.
  // - An agent waits for the end of a pipe, which a hook that hangs would hold open. So it prints to a file, and the
  //   redirections are those of `exec`: for others, shells keep a copy of the pipe.
  // - Gemini CLI fills in the defaults of variables (`:-`) when it reads its settings, so there are none.
  // - Each process that the shell starts takes the agent a millisecond, so `cat` runs only for an answer.
  // - Outside of the parentheses is nothing that can fail.
  const output = prints ? ' >"$answer"' : ''
  const limit = `sleep ${seconds} 3<&- 4>&- & limit=$!`
  const hook = `{ { ${call}; }${output}; kill -0 $$ && kill $limit; } <&3 3<&- 4>&- &`
  const end = prints
    ? 'wait $limit || { [ $? != 127 ] || wait; [ -s "$answer" ] && cat "$answer" >&4; }; [ -c "$answer" ] || rm -f "$answer"'
    : 'wait $limit; [ $? != 127 ] || wait'
  const start = `${LIMITED}exec 3<&0 4>&1 >/dev/null 2>&1; ${prints ? 'answer=$(mktemp || echo /dev/null); ' : ''}`
  return `${start}${limit}; ${hook} ${end}); exit 0`
}
