/**
 * [GW-5] An agent never waits too long: when a scan is slow, the reply is sent early, and the run is marked
 * incomplete.
 */
import { cpSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunEntry } from '../../../../src/contract/timeline.ts'
import { createEngine } from '../../../../src/main/engine/engine.ts'
import type { Clock } from '../../../../src/main/engine/ports/clock.ts'
import { type Line, PROJECT, toHookEvent } from '../../../support/agent-replay.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'

const MANY = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`d${i % 40}/f${i}`, `${i}`]))

/** Reading them takes longer than a scan holds the thread. They are few, because Wine takes long for each. */
function changeMany(root: string): void {
  for (const path of Object.keys(MANY)) writeFileSync(join(root, path), Buffer.alloc(500_000, path))
}

/** While `isArmed`, deadlines expire when `expire` is called; else they never do. */
function manualDeadlines(): Clock & { isArmed: boolean; expire(): void } {
  const deadlines = new Set<() => void>()
  const clock = {
    isArmed: false,
    now: () => Date.now(),
    setTimeout: (fn: () => void) => {
      if (clock.isArmed) deadlines.add(fn)
      return () => void deadlines.delete(fn)
    },
    expire: () => {
      for (const fn of deadlines) fn()
      deadlines.clear()
    }
  }
  return clock
}

test('[GW-5] before-images incomplete: the run is marked, and has what changes from the reply on, also while the scan goes on', async () => {
  const clock = manualDeadlines()
  // A check asks for the free space when it begins: the agent's deadline expires during the scan.
  const freeBytes = (): number => {
    clock.expire()
    return 1e12
  }
  await using folder = await recordedFolder({
    files: { ...PROJECT, ...MANY, 'z/last.txt': '', 'moved/a.txt': 'a' },
    clock,
    freeBytes
  })
  const { root, workspace } = folder
  const send = (event: string, more: object): Promise<unknown> => {
    const line: Line = { event, input: { session_id: 's', cwd: root, hook_event_name: event, ...more } }
    return folder.engine.callUntyped('agent.event', toHookEvent('claude-code', line))
  }
  await send('UserPromptSubmit', { prompt: 'go', prompt_id: 'p' })
  writeFileSync(join(root, 'mine.txt'), 'the user, before')
  // At the reply the scan has not come to `z`.
  changeMany(root)
  // File times are coarser than our clock; the call must open clearly later.
  const since = Date.now()
  while (Date.now() - since < 60);
  clock.isArmed = true
  const call = { tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: 't' }
  expect(await send('PreToolUse', call)).toEqual({ ingested: true })
  clock.isArmed = false
  writeFileSync(join(root, 'z/last.txt'), 'the agent')
  // What is in it keeps its times.
  renameSync(join(root, 'moved'), join(root, 'renamed'))
  await send('PostToolUse', call)
  await send('Stop', { background_tasks: [] })
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 5, kinds: ['run'] })
  const run = entries[0] as RunEntry
  expect(run.incomplete).toBe(true)
  const { files } = await folder.engine.call('diff.files', { workspace, target: run.id, scope: 'run' })
  expect(files.map(({ path, oldPath }) => [path, oldPath])).toEqual([
    ['renamed/a.txt', 'moved/a.txt'],
    ['z/last.txt', undefined]
  ])
})

test('[GW-1] an event that was answered before it was recorded survives a recorder killed in between, once', async () => {
  const clock = manualDeadlines()
  // As above: the deadline expires when the check begins.
  const freeBytes = (): number => {
    clock.expire()
    return 1e12
  }
  await using folder = await recordedFolder({ files: MANY, clock, freeBytes })
  const { root, workspace, dataDir, home } = folder
  const prompt = { session_id: 's', cwd: root, hook_event_name: 'UserPromptSubmit', prompt: 'go', prompt_id: 'p' }
  const event = toHookEvent('claude-code', { event: 'UserPromptSubmit', input: prompt })
  const spooled = (data = dataDir): string[] =>
    readdirSync(join(data, 'spool')).filter((name) => name.endsWith('.json'))
  // The reply comes before the end of the scan.
  changeMany(root)
  clock.isArmed = true
  await folder.engine.callUntyped('agent.event', event)
  clock.isArmed = false
  // Nothing of the recorder runs between the reply and this copy: it is what a kill leaves.
  const killed = `${dataDir}-killed`
  cpSync(dataDir, killed, { recursive: true })
  expect(spooled(killed)).toHaveLength(1)

  await expect.poll(() => spooled()).toEqual([])
  const titles = async (engine: Pick<typeof folder.engine, 'call'>): Promise<string[]> => {
    const { entries } = await engine.call('timeline.list', { workspace, limit: 5, kinds: ['run'] })
    return entries.map((entry) => (entry as RunEntry).title)
  }
  expect(await titles(folder.engine)).toEqual(['go'])
  await folder.engine.callUntyped('agent.event', event)
  expect(await titles(folder.engine)).toEqual(['go'])

  const next = await createEngine({ dataDir: killed, home, host: 'cli', watch: false, programs: { ingest: '' } })
  try {
    expect([await titles(next), spooled(killed)]).toEqual([['go'], []])
  } finally {
    await next.close()
  }
})
