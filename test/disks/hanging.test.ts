/** A data folder on a disk that answers no call. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { guardedHookCommand, writeLauncher } from '../../src/main/engine/agents/connect/launcher.ts'
import { CLI } from '../support/programs.ts'
import { scriptedDisk } from '../support/scripted-disk.ts'
import { tempFolder } from '../support/tmp.ts'

/** Of which the second may print. */
const EVENTS = ['PreToolUse', 'UserPromptSubmit']

/** Runs a hook as an agent does, to the end of its output. `gone`: when none of its processes is left. */
async function run(dataDir: string, event: string) {
  const child = spawn(guardedHookCommand(dataDir, 'claude-code', event), {
    shell: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe']
  })
  const gone = buffer(child.stdio[3] as NodeJS.ReadableStream)
  const ended = once(child, 'exit')
  child.stdin.end(JSON.stringify({ session_id: 's', cwd: dataDir, hook_event_name: event, prompt: 'x' }))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { quiet: { code, output, errors }, gone }
}

test('[GW-1] a hook ends while the disk of the data folder hangs, and what it could not say in time is not said later', {
  tags: ['scripted-disk']
}, async () => {
  using temp = tempFolder()
  await using disk = await scriptedDisk(temp.path, {})
  const dataDir = disk.path
  chmodSync(dataDir, 0o700)
  writeFileSync(join(dataDir, 'app.db'), '')
  writeLauncher(dataDir, CLI)
  const spooled = () =>
    readdirSync(join(dataDir, 'spool')).map((name) => readFileSync(join(dataDir, 'spool', name), 'utf8'))
  const quiet = { code: 0, output: '', errors: '' }
  for (const event of EVENTS) expect((await run(dataDir, event)).quiet).toEqual(quiet)
  expect(spooled()).toHaveLength(2)

  await disk.set({ faults: [{ calls: ['*'], hangs: true }] })
  const held = await Promise.all(EVENTS.map((event) => run(dataDir, event)))
  expect(held.map((hook) => hook.quiet)).toEqual([quiet, quiet])
  await disk.set({})
  await Promise.all(held.map((hook) => hook.gone))
  expect(spooled()).toHaveLength(2)
})
