/** [GW-1] The hook of an agent without a time limit ends, whatever holds it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { quoteShell } from '../../../../src/main/engine/agents/connect/launcher.ts'
import { limitedScript } from '../../../../src/main/engine/agents/connect/limited-script.ts'
import { tempFolder } from '../../../support/tmp.ts'

const POSIX = { tags: ['posix'] }

/** Runs the script as an agent does, to the end of its output. */
async function run(script: string, stdin: string, env = process.env) {
  const child = spawn(script, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  child.stdin.end(stdin)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code, signal] = await ended
  return { output, errors, code, signal }
}

function scriptOf(folder: string, command: string, seconds: number): string {
  const script = join(folder, 'hook')
  writeFileSync(script, limitedScript('ours', command, seconds), { mode: 0o755 })
  return script
}

/** Resolves when there is no such process; init removes a killed one a moment later. */
async function ends(pid: number): Promise<void> {
  try {
    for (;;) {
      process.kill(pid, 0)
      await new Promise(setImmediate)
    }
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}

const QUIET_SUCCESS = { output: '', errors: '', code: 0, signal: null }

test('[GW-1] a hook that never ends is killed at its limit, and the script succeeds', POSIX, async () => {
  using folder = tempFolder()
  const pid = join(folder.path, 'pid')
  const script = scriptOf(folder.path, `exec sh -c ${quoteShell(`echo $$ > '${pid}'; exec sleep 600`)}`, 1)
  expect(await run(script, 'event')).toEqual(QUIET_SUCCESS)
  await ends(Number(readFileSync(pid, 'utf8')))
})

test('[RV-5] what a hook prints in time is passed on, whole', POSIX, async () => {
  using folder = tempFolder()
  const text = 'x'.repeat(200_000)
  writeFileSync(join(folder.path, 'text'), text)
  const script = scriptOf(folder.path, `exec cat ${quoteShell(join(folder.path, 'text'))}`, 60)
  expect(await run(script, 'event')).toEqual({ ...QUIET_SUCCESS, output: text })
  const late = scriptOf(folder.path, 'echo words; exec sleep 600', 1)
  expect(await run(late, 'event')).toEqual(QUIET_SUCCESS)
})

test('[GW-1] without the programs it needs for a limit, a hook runs to its end', POSIX, async () => {
  using folder = tempFolder()
  const script = scriptOf(folder.path, 'read -r event', 1)
  expect(await run(script, 'event', { PATH: folder.path })).toEqual(QUIET_SUCCESS)
})

test(
  '[GW-1] a hook gets the event and the process of the agent; the script ends with it, silently',
  POSIX,
  async () => {
    using folder = tempFolder()
    const event = join(folder.path, 'event')
    const command = `{ cat; echo $DRIFTLINE_HOOK_PARENT; } > ${quoteShell(event)}; echo words >&2; exit 3`
    expect(await run(scriptOf(folder.path, command, 60), '{"a":1}')).toEqual(QUIET_SUCCESS)
    expect(readFileSync(event, 'utf8')).toBe(`{"a":1}${process.pid}\n`)
  }
)
