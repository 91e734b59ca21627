/** Changes that no watcher tells of: every position and every plan knows them all the same. */
import { execFileSync, spawnSync } from 'node:child_process'
import { linkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreResult } from '../../../../src/contract/restore.ts'
import { checkNamedPaths } from '../../../../src/main/engine/drift/named-paths.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { hookedAgent } from '../../../support/hooked-agent.ts'
import { type Recorded, recordedFolder } from '../../../support/recorded.ts'
import { talkingAgent } from '../../../support/talking-agent.ts'
import { writeFiles } from '../../../support/tree.ts'

/** Until the watcher vouches for the folder. */
async function watched(folder: Recorded): Promise<void> {
  const { workspace } = folder
  const state = async () => (await folder.engine.call('workspace.status', { workspace, check: true })).watcher.state
  await expect.poll(state, { timeout: 10_000 }).toBe('live')
  await folder.check()
}

/** Changes one byte of a file the way databases and linkers do, without a write or an event, and goes on for a moment. */
function pokeThroughMemory(file: string): void {
  const program =
    'import mmap, sys, time; f = open(sys.argv[1], "r+b"); m = mmap.mmap(f.fileno(), 0); m[0] ^= 1; m.flush(); m.close(); time.sleep(.05)'
  execFileSync('python3', ['-c', program, file])
}

const outside = async (folder: Recorded): Promise<readonly string[]> =>
  (await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })).drift.flatMap(
    (drift) => drift.paths
  )

/** Node maps no files. */
const maps = spawnSync('python3', ['-c', 'import mmap']).status === 0

const files = ({ items }: RestoreResult): string[] => items.map(({ path, result }) => `${path} ${result}`)

test.runIf(maps)('[CK-2] what a run wrote through a memory mapping is part of it and goes back', async () => {
  await using folder = await recordedFolder({ files: { db: 'one'.repeat(2000) }, watch: true })
  await watched(folder)
  const before = folder.tree()
  const run = await folder.run('index', () => pokeThroughMemory(join(folder.root, 'db')))
  expect(folder.tree()).not.toEqual(before)
  expect(files(await folder.apply({ kind: 'undo-run', run }))).toEqual(['db done'])
  expect(folder.tree()).toEqual(before)
})

test.runIf(maps)(
  '[CK-2] [GW-4] what an agent\u2019s command wrote through a memory mapping is the command\u2019s, what a person wrote before it is not',
  async () => {
    await using folder = await recordedFolder({
      files: { db: 'one'.repeat(2000), own: 'own'.repeat(2000) },
      watch: true
    })
    await watched(folder)
    const agent = talkingAgent(folder)
    await agent.say('look', 'looked')
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
  }
)

test.runIf(maps)(
  '[RS-9] what was written through a memory mapping before a restore is kept before it is written over',
  async () => {
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
  }
)

test('[CK-2] a file with two names, written by one of them, is part of the run under both', async () => {
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

test.runIf(maps)(
  "[GW-4] what an agent's command wrote through a memory mapping is seen at the end of its turn, and is its own",
  async () => {
    await using folder = await recordedFolder({
      files: { db: 'one'.repeat(2000), mine: 'two'.repeat(2000) },
      watch: true
    })
    await watched(folder)
    const before = folder.tree()
    const agent = hookedAgent(folder, 'mapping')
    const call = { tool_name: 'Bash', tool_input: { command: 'index' }, tool_use_id: 'm1' }
    await agent.working()
    await agent.say('PreToolUse', call)
    pokeThroughMemory(join(folder.root, 'db'))
    await agent.say('PostToolUse', call)
    pokeThroughMemory(join(folder.root, 'mine'))
    const run = await agent.working()
    const { mine } = folder.tree()
    await agent.stop()
    expect(await outside(folder), 'after the command it was somebody else').toEqual(['mine'])
    expect(files(await folder.apply({ kind: 'undo-run', run }))).toEqual(['db done'])
    expect(folder.tree()).toEqual({ ...before, mine })
  }
)

test("[GW-4] what an agent's tool wrote by one name of a file is the run's under its other names, too", async () => {
  await using folder = await recordedFolder({
    files: { 'a/x': 'one', 'b/keep': 'k' },
    make: (root) => linkSync(join(root, 'a/x'), join(root, 'b/x')),
    watch: true
  })
  await watched(folder)
  const before = folder.tree()
  const agent = hookedAgent(folder, 'linked')
  const file = join(folder.root, 'a/x')
  await agent.call('Write', { file_path: file, content: 'two' }, () => writeFileSync(file, 'two'))
  const run = await agent.working()
  await agent.stop()
  const result = await folder.apply({ kind: 'undo-run', run })
  expect([files(result), result.conflicts]).toEqual([['a/x done', 'b/x done'], []])
  expect(folder.tree()).toEqual(before)
})

test('[LG-5] a file in an ignored folder that a tool named once is looked at from then on', async () => {
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
