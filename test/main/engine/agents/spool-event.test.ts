/**
 * [GW-1] An event that no recorder took is saved with the files it names, so that taking it later records what happened
 * at its time, and not what the disk shows by then.
 */
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HookEvent } from '../../../../src/main/engine/agents/hook-event.ts'
import { spoolEvent } from '../../../../src/main/engine/agents/spool-event.ts'
import { fill, smallDisk } from '../../../support/faulty-disk.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

let events = 0
let clock = Date.now()
/** Saves an event of a session as its hook does. */
function spool(
  folder: Pick<RecordedFolder, 'root' | 'dataDir'>,
  session: string,
  event: string,
  more: object = {}
): void {
  // File times must be clearly before or after an event, as with real tools.
  while (Date.now() < clock + 30) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
  clock = Date.now()
  const payload = { session_id: session, cwd: folder.root, hook_event_name: event, ...more }
  const spooled: HookEvent = {
    id: `${clock}-${String(++events).padStart(6, '0')}`,
    agent: 'claude-code',
    event,
    at: clock,
    payload,
    process: { pid: process.pid, start: '' }
  }
  spoolEvent(folder.dataDir, spooled)
}

/** A session that does `work` with a tool, of which every event is saved. */
function session(folder: RecordedFolder, id: string, tool: object, work: () => void): void {
  spool(folder, id, 'UserPromptSubmit', { prompt: id })
  spool(folder, id, 'PreToolUse', { tool_use_id: `call-${id}`, ...tool })
  work()
  spool(folder, id, 'PostToolUse', { tool_use_id: `call-${id}`, ...tool })
  spool(folder, id, 'Stop')
}

const write = (file_path: string): object => ({ tool_name: 'Write', tool_input: { file_path } })

async function runs(folder: RecordedFolder): Promise<Record<string, string>> {
  await folder.reopen()
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 10,
    kinds: ['run']
  })
  return Object.fromEntries(entries.map((entry) => [entry.kind === 'run' ? entry.title : '', entry.id]))
}

async function undo(folder: RecordedFolder, run: string): Promise<void> {
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
}

test('[GW-1] two runs that replaced the same file are recorded as two, each with its own bytes', async () => {
  await using folder = await recordedFolder({ files: { a: 'start\n', 'large.bin': Buffer.alloc(3_000_000, 1) } })
  const [a, large] = [join(folder.root, 'a'), join(folder.root, 'large.bin')]
  session(folder, 'first', write(a), () => writeFileSync(a, 'of the first run\n'))
  session(folder, 'second', { tool_name: 'Edit', tool_input: { files: [a, large] } }, () => {
    writeFileSync(a, 'of the second run\n')
    writeFileSync(large, Buffer.alloc(2_000_000, 2))
  })
  session(folder, 'third', write(a), () => rmSync(a))
  const { first, second, third } = await runs(folder)
  expect(readdirSync(join(folder.dataDir, 'spool'))).toEqual([])
  await undo(folder, third!)
  expect(readFileSync(a, 'utf8')).toBe('of the second run\n')
  await undo(folder, second!)
  expect(readFileSync(a, 'utf8')).toBe('of the first run\n')
  expect(readFileSync(large).equals(Buffer.alloc(3_000_000, 1))).toBe(true)
  await undo(folder, first!)
  expect(readFileSync(a, 'utf8')).toBe('start\n')
})

test('[GW-1] a file that was written from outside before the tool replaced it stays outside, and undo restores it', async () => {
  await using folder = await recordedFolder({ files: { a: 'start\n' } })
  const a = join(folder.root, 'a')
  writeFileSync(a, 'by a person\n')
  session(folder, 'one', write(a), () => writeFileSync(a, 'by the agent\n'))
  await undo(folder, (await runs(folder)).one!)
  expect(readFileSync(a, 'utf8')).toBe('by a person\n')
})

test('[GW-1] what a command changed belongs to it, and what changed after its end does not', async () => {
  await using folder = await recordedFolder({ files: { a: 'start\n', b: 'start\n' } })
  const [a, b, c] = ['a', 'b', 'c'].map((name) => join(folder.root, name)) as [string, string, string]
  session(folder, 'shell', { tool_name: 'Bash', tool_input: { command: 'make' } }, () => writeFileSync(a, 'made\n'))
  session(folder, 'later', write(b), () => writeFileSync(b, 'by the agent\n'))
  spool(folder, 'later', 'SessionEnd')
  writeFileSync(c, 'by a person, in the end\n')
  const found = await runs(folder)
  const files = async (run: string): Promise<readonly string[]> => {
    const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run })
    return files.map(({ path }) => path)
  }
  expect([await files(found.shell!), await files(found.later!)]).toEqual([['a'], ['b']])
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(drift.flatMap(({ paths }) => paths)).toEqual(['c'])
})

test('[CP-4] only files of the project are copied, links as links, and devices not at all', { tags: ['links'] }, () => {
  using temp = tempFolder()
  const root = join(temp.path, 'project')
  const secret = join(temp.path, 'secret')
  writeFileSync(secret, 'of another folder')
  symlinkSync(temp.path, root)
  const dataDir = join(temp.path, 'data')
  const named = [secret, '/dev/zero', '../secret', 'link', 'missing']
  symlinkSync(secret, join(temp.path, 'link'))
  spool({ root: temp.path, dataDir }, 's', 'PreToolUse', {
    cwd: join(temp.path, 'sub'),
    tool_name: 'Write',
    tool_input: { paths: named }
  })
  const names = readdirSync(join(dataDir, 'spool'))
  expect(names).toEqual([expect.stringMatching(/\.json$/)])
})

test('[GW-1] on a full disk the event is saved without its files, or lost without a trace', ({ skip }) => {
  using temp = tempFolder()
  const base = join(temp.path, 'disk')
  using disk = smallDisk(base, '2m')
  if (!disk) return skip('the right to mount a disk')
  const root = join(temp.path, 'project')
  const file = join(temp.path, 'large')
  writeFileSync(file, Buffer.alloc(3_000_000))
  spool({ root: temp.path, dataDir: base }, 's', 'PreToolUse', write(file))
  expect(readdirSync(join(base, 'spool'))).toEqual([expect.stringMatching(/\.json$/)])
  fill(base)
  spool({ root, dataDir: base }, 's', 'PreToolUse', { ...write(file), more: 'x'.repeat(20_000) })
  expect(readdirSync(join(base, 'spool'))).toEqual([expect.stringMatching(/\.json$/)])
})
