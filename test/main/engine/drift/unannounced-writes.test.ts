/** Writes without an event: every position and every plan includes them nevertheless. */
import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreResult } from '../../../../src/contract/restore.ts'
import { ORDINARY_EDITS } from '../../../../src/main/engine/drift/drifts.ts'
import { checkNamedPaths } from '../../../../src/main/engine/drift/named-paths.ts'
import { recordChanges } from '../../../../src/main/engine/drift/record.ts'
import { CLOCK_SLACK_MS } from '../../../../src/main/engine/files/racy-times.ts'
import { lstatSignature, type Signature } from '../../../../src/main/engine/files/signature.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { createHookedAgent } from '../../../support/hooked-agent.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent } from '../../../support/transcript-agent.ts'
import { writeFiles } from '../../../support/tree.ts'

/** Resolves when the watcher is live. */
async function watched(folder: RecordedFolder): Promise<void> {
  const { workspace } = folder
  const state = async () => (await folder.engine.call('workspace.status', { workspace, check: true })).watcher.state
  await expect.poll(state, { timeout: 10_000 }).toBe('live')
  await folder.check()
}

/** Changes one byte of a file as databases and linkers do, through a mapping, which causes no event; runs on for a moment. */
function pokeThroughMemory(file: string): void {
  const program =
    'import mmap, sys, time; f = open(sys.argv[1], "r+b"); m = mmap.mmap(f.fileno(), 0); m[0] ^= 1; m.flush(); m.close(); time.sleep(.05)'
  execFileSync('python3', ['-c', program, file])
}

const outside = async (folder: RecordedFolder): Promise<readonly string[]> =>
  (await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })).drift.flatMap(
    (drift) => drift.paths
  )

const files = ({ items }: RestoreResult): string[] => items.map(({ path, result }) => `${path} ${result}`)

test('[CK-2] what a run wrote through a memory mapping is part of it and is undone with it', {
  tags: ['memory-map']
}, async () => {
  await using folder = await recordedFolder({ files: { db: 'one'.repeat(2000) }, watch: true })
  await watched(folder)
  const before = folder.tree()
  const run = await folder.run('index', () => pokeThroughMemory(join(folder.root, 'db')))
  expect(folder.tree()).not.toEqual(before)
  expect(files(await folder.apply({ kind: 'undo-run', run }))).toEqual(['db done'])
  expect(folder.tree()).toEqual(before)
})

test('[CK-2] [GW-4] a command\u2019s write through a memory mapping is attributed to it, an earlier outside write is not', {
  tags: ['memory-map']
}, async () => {
  await using folder = await recordedFolder({
    files: { db: 'one'.repeat(2000), own: 'own'.repeat(2000) },
    watch: true
  })
  await watched(folder)
  const agent = createTranscriptAgent(folder)
  await agent.say('look', 'checked')
  pokeThroughMemory(join(folder.root, 'own'))
  const before = folder.tree()
  const turn = await agent.say('index', 'indexed', () => pokeThroughMemory(join(folder.root, 'db')))
  await folder.check()
  const { calls } = await agent.detail()
  expect(calls.map(({ state, changed }) => [state, changed.map((change) => change.path)])).toEqual([
    ['done', []],
    ['done', ['db']]
  ])
  const there = folder.tree()
  expect(files(await folder.apply({ kind: 'restore', target: turn, mode: 'files' }))).toContain('db done')
  expect(folder.tree()).toEqual(before)
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toEqual(there)
})

test('[RS-9] a write through a memory mapping before a restore is recorded before it is overwritten', {
  tags: ['memory-map']
}, async () => {
  await using folder = await recordedFolder({ files: { db: 'one'.repeat(2000) }, watch: true })
  await watched(folder)
  const run = await folder.run('write', () => writeFileSync(join(folder.root, 'db'), 'by the run'))
  await folder.check()
  pokeThroughMemory(join(folder.root, 'db'))
  const there = folder.tree()
  const result = await folder.apply({ kind: 'undo-run', run, onConflict: 'replace' })
  expect([result.state, result.conflicts.map((conflict) => conflict.path)]).toEqual(['done', ['db']])
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(there)
})

test('[CK-2] a file with two hard links, written through one, is part of the run under both names', async () => {
  await using folder = await recordedFolder({
    files: { 'a/x': 'one', 'b/keep': 'k' },
    make: (root) => linkSync(join(root, 'a/x'), join(root, 'b/x')),
    watch: true
  })
  await watched(folder)
  const before = folder.tree()
  const run = await folder.run('edit', () => writeFileSync(join(folder.root, 'a/x'), 'two'))
  await folder.run('edit again', () => writeFileSync(join(folder.root, 'b/x'), 'three'))
  const there = folder.tree()
  const result = await folder.apply({ kind: 'restore', target: run, outside: 'replace' })
  expect(files(result)).toEqual(['a/x done', 'b/x done'])
  expect(folder.tree()).toEqual(before)
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(there)
})

test("[GW-4] what an agent's command wrote through a memory mapping is found at the end of its turn and attributed to it", {
  tags: ['memory-map']
}, async () => {
  await using folder = await recordedFolder({
    files: { db: 'one'.repeat(2000), mine: 'two'.repeat(2000) },
    watch: true
  })
  await watched(folder)
  const before = folder.tree()
  const agent = createHookedAgent(folder, 'mapping')
  const call = { tool_name: 'Bash', tool_input: { command: 'index' }, tool_use_id: 'm1' }
  await agent.ensureRun()
  await agent.sendEvent('PreToolUse', call)
  pokeThroughMemory(join(folder.root, 'db'))
  await agent.sendEvent('PostToolUse', call)
  pokeThroughMemory(join(folder.root, 'mine'))
  const run = await agent.ensureRun()
  const { mine } = folder.tree()
  await agent.stop()
  expect(await outside(folder), 'after the command it is an outside edit').toEqual(['mine'])
  expect(files(await folder.apply({ kind: 'undo-run', run }))).toEqual(['db done'])
  expect(folder.tree()).toEqual({ ...before, mine })
})

test("[GW-4] a tool's write through one hard link of a file is the run's under its other names, too", async () => {
  await using folder = await recordedFolder({
    files: { 'a/x': 'one', 'b/keep': 'k' },
    make: (root) => linkSync(join(root, 'a/x'), join(root, 'b/x')),
    watch: true
  })
  await watched(folder)
  const before = folder.tree()
  const agent = createHookedAgent(folder, 'linked')
  const file = join(folder.root, 'a/x')
  await agent.call('Write', { file_path: file, content: 'two' }, () => writeFileSync(file, 'two'))
  const run = await agent.ensureRun()
  await agent.stop()
  const result = await folder.apply({ kind: 'undo-run', run })
  expect([files(result), result.conflicts]).toEqual([['a/x done', 'b/x done'], []])
  expect(folder.tree()).toEqual(before)
})

test("[GW-4] what was written through one hard link before a command began is not that command's under the other name, though it is found meanwhile", async () => {
  await using folder = await recordedFolder({
    files: { 'a/x': 'one', 'b/keep': 'k', own: 'own' },
    make: (root) => linkSync(join(root, 'a/x'), join(root, 'b/x')),
    watch: true
  })
  await watched(folder)
  const before = folder.tree()
  const agent = createHookedAgent(folder, 'beside')
  const run = await agent.ensureRun()
  const file = join(folder.root, 'a/x')
  writeFileSync(file, 'by a person')
  const { ctimeMs } = statSync(file)
  await expect.poll(() => Date.now() - ctimeMs).toBeGreaterThan(CLOCK_SLACK_MS)
  await agent.begin()
  writeFileSync(join(folder.root, 'own'), 'by the command')
  await folder.checkpoint()
  await agent.end()
  await agent.stop()
  const { 'a/x': x, 'b/x': otherName } = folder.tree()
  expect((await outside(folder)).toSorted()).toEqual(['a/x', 'b/x'])
  expect(files(await folder.apply({ kind: 'undo-run', run }))).toEqual(['own done'])
  expect(folder.tree()).toEqual({ ...before, 'a/x': x, 'b/x': otherName })
})

test('[GW-4] a write without an event is the open run\u2019s on a FAT disk, too, which has times of two seconds and on Windows no change times', async () => {
  await using folder = await recordedFolder({ files: { db: 'one' } })
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const file = join(folder.root, 'db')
  const before = folder.tree()
  const run = await folder.run('index', async () => {
    writeFileSync(file, 'two')
    const stat = lstatSignature(file) as Signature
    const signature = { ...stat, mtime: Math.floor(stat.mtime / 2000) * 2000, ctime: Date.UTC(1601) }
    const images = new Map([['db', { signature, file }]])
    const options = { images, wasReported: () => false }
    await open.recorder.lock.run(() =>
      recordChanges(open.recorder, { paths: ['db'], trees: [] }, ORDINARY_EDITS, options)
    )
  })
  expect(files(await folder.apply({ kind: 'undo-run', run }))).toEqual(['db done'])
  expect(folder.tree()).toEqual(before)
})

test('[LG-5] [CP-1] what a tool writes into a new folder that git ignores is undone; what a command left there stays, without a conflict', async () => {
  await using folder = await recordedFolder({ files: { '.gitignore': 'out/\nnode_modules/\n', k: 'k' } })
  const agent = createHookedAgent(folder, 'builder')
  for (const path of ['out/made.js', 'out/deep/made.js']) {
    const file = join(folder.root, path)
    await agent.call('Write', { file_path: file, content: 'x' }, async () => {
      writeFiles(folder.root, { [path]: 'x' })
      // As the watch does: the folder is found before the tool names what it wrote there.
      await folder.check()
    })
  }
  await agent.call('Bash', { command: 'npm install' }, () =>
    writeFiles(folder.root, { k: 'two', 'node_modules/x/index.js': 'x' })
  )
  const run = await agent.ensureRun()
  await agent.stop()
  const there = folder.tree()
  const result = await folder.apply({ kind: 'undo-run', run, onConflict: 'fail' })
  expect(result.conflicts).toEqual([])
  expect(result.items.filter(({ action }) => action === 'keep').map(({ path, note }) => [path, note])).toEqual([
    ['node_modules', { code: 'unprotected-folder' }],
    ['out', { code: 'unprotected-folder' }],
    ['out/deep', { code: 'unprotected-folder' }]
  ])
  expect(Object.keys(folder.tree()).filter((path) => path.startsWith('out/'))).toEqual(['out/deep'])
  expect([folder.tree().k, folder.tree()['node_modules/x/index.js']]).not.toContain(undefined)
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toEqual(there)
})

test('[LG-5] a file in an ignored folder that a tool named once is checked from then on', async () => {
  await using folder = await recordedFolder({ files: { '.gitignore': 'ign/\n', k: 'k', 'ign/sub/x': 'one' } })
  await using open = openRecorder(folder.dataDir, folder.workspace)
  await open.recorder.lock.run(() => checkNamedPaths(open.recorder, ['ign/sub/x']))
  const run = await folder.run('edit', () => writeFiles(folder.root, { k: 'two', 'ign/sub/x': 'two' }))
  writeFiles(folder.root, { 'ign/sub/x': 'by a person', 'ign/sub/other': 'never named' })
  const there = folder.tree()
  const result = await folder.apply({ kind: 'undo-run', run, onConflict: 'keep' })
  expect([result.state, result.conflicts.map((conflict) => conflict.path)]).toEqual(['done', ['ign/sub/x']])
  expect(readFileSync(join(folder.root, 'ign/sub/x'), 'utf8')).toBe('by a person')
  await folder.apply({ kind: 'restore', target: run, outside: 'replace' })
  expect(readFileSync(join(folder.root, 'ign/sub/x'), 'utf8')).toBe('one')
  expect(readFileSync(join(folder.root, 'ign/sub/other'), 'utf8')).toBe('never named')
  await folder.apply({ kind: 'undo' })
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toEqual(there)
})
