/** [CK-2] Large folders: a position looks at what changed; the rest is compared in the background. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { RunEntry, TimelineEntry } from '../../../../src/contract/timeline.ts'
import { SMALL_FOLDER } from '../../../../src/main/engine/drift/disk-watch.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

/** Inverts one byte of a file through a mapping, which causes no event; runs on for a moment, as databases do. */
function pokeThroughMemory(file: string): void {
  const program = `import mmap, sys, time
time.sleep(.05)
f = open(sys.argv[1], "r+b")
m = mmap.mmap(f.fileno(), 0)
m[0] ^= 1
m.flush()
m.close()
time.sleep(.05)`
  execFileSync('python3', ['-c', program, file])
}

/** A live recording of more files than a position scans, of which `db` and `mine` are two. */
async function largeFolder(): Promise<RecordedFolder> {
  const many = Array.from({ length: SMALL_FOLDER + 100 }, (_, n) => [`d${n % 50}/f${n}`, `${n}`])
  const folder = await recordedFolder({
    files: { ...Object.fromEntries(many), db: 'one'.repeat(2000), mine: 'two'.repeat(2000) },
    watch: true
  })
  const { workspace } = folder
  const state = async () => (await folder.engine.call('workspace.status', { workspace, check: true })).watcher.state
  await vi.waitFor(async () => expect(await state()).toBe('live'), { timeout: 10_000 })
  await folder.check()
  return folder
}

let folder: RecordedFolder
beforeAll(async () => {
  folder = await largeFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

async function entries(kind: 'run' | 'drift'): Promise<readonly TimelineEntry[]> {
  const list = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 20, kinds: [kind] })
  return list.entries
}

const runEntry = async (id: string): Promise<RunEntry> =>
  (await entries('run')).find((entry) => entry.id === id) as RunEntry

/** Of open drift and of drift that a later run has closed: which one it is depends on when the change is found. */
const outsidePaths = async (): Promise<readonly string[]> =>
  (await entries('drift')).flatMap((entry) => (entry.kind === 'drift' ? entry.paths : []))

test('[CK-2] a write through a memory mapping into a file that the run created is part of the run at its end', {
  tags: ['memory-map']
}, async () => {
  const before = folder.tree()
  const run = await folder.run('create', async () => {
    const file = join(folder.root, 'new.db')
    writeFileSync(file, 'one'.repeat(2000))
    await folder.check()
    pokeThroughMemory(file)
  })
  const there = readFileSync(join(folder.root, 'new.db'))
  rmSync(join(folder.root, 'new.db'))
  await folder.apply({ kind: 'restore', target: `${run}:end`, mode: 'files', outside: 'replace' })
  expect(readFileSync(join(folder.root, 'new.db')).equals(there)).toBe(true)
  await folder.apply({ kind: 'undo-run', run })
  expect(folder.tree()).toEqual(before)
})

test('[CK-2] [GW-4] [DR-1] what no event reported is found later: a change of the run in whose time it was made, else an outside edit', {
  tags: ['memory-map']
}, async () => {
  const { engine, workspace } = folder
  const before = folder.tree()
  const begin = { workspace, title: 'index', agent: 'test', pid: process.pid, pidStart: '' }
  const { run } = await engine.call('run.begin', begin)
  pokeThroughMemory(join(folder.root, 'db'))
  const end = await engine.call('run.end', { workspace, run, exitCode: 0 })
  pokeThroughMemory(join(folder.root, 'mine'))
  const { mine } = folder.tree()
  await folder.run('later', () => {})
  await expect.poll(outsidePaths, { timeout: 30_000, interval: 100 }).toContain('mine')
  await expect.poll(async () => (await runEntry(run)).files, { timeout: 30_000, interval: 100 }).toBe(1)
  expect(await outsidePaths()).not.toContain('db')
  // A comparison that an earlier position asked for may pass the file between the write and the end of the run.
  expect((await runEntry(run)).notes).toEqual(end.files.length === 1 ? [] : [{ code: 'found-later' }])
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map(({ path, result }) => `${path} ${result}`)).toEqual(['db done'])
  expect(folder.tree()).toEqual({ ...before, mine })
})
