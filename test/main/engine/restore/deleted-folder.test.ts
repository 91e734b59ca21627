/** [RS-19] The recorded folder itself was deleted: whose deletion it is, and what creates the folder again. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const FILES = { 'a.txt': 'a\n', 'src/deep/b.ts': 'b\n' }
const removeRoot = (folder: RecordedFolder) => (): void => rmSync(folder.root, { recursive: true })
const status = (folder: RecordedFolder) =>
  folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
const filesOf = async (folder: RecordedFolder, run: string) =>
  (await folder.engine.call('diff.files', { workspace: folder.workspace, target: run, scope: 'run' })).files

describe('[RS-19] a run that deletes the recorded folder', () => {
  test('reports every file as its deletion; undoing it creates the folder with its mode, and undo of that empties it', async () => {
    await using folder = await recordedFolder({ files: FILES, make: (root) => chmodSync(root, 0o750) })
    const before = folder.tree()
    const run = await folder.run('rm -rf', removeRoot(folder))
    expect((await filesOf(folder, run)).map(({ path, change, attribution }) => [path, change, attribution])).toEqual([
      ['a.txt', 'deleted', 'inferred'],
      ['src/deep/b.ts', 'deleted', 'inferred']
    ])
    expect(await status(folder)).toMatchObject({ folder: 'missing', deletedBy: { run, title: 'rm -rf' }, drift: [] })
    const plan = await folder.plan({ kind: 'undo-run', run })
    expect(plan.warnings).toContainEqual({ code: 'creates-folder', folder: folder.root })
    expect(existsSync(folder.root), 'a plan creates nothing').toBe(false)
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
    if (process.platform !== 'win32') expect(statSync(folder.root).mode & 0o7777).toBe(0o750)
    expect(await status(folder)).toMatchObject({ folder: 'present', deletedBy: null, drift: [] })
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(folder.tree()).toEqual({})
    expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
  })

  test('a restore to before the run creates it, too', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const before = folder.tree()
    const run = await folder.run('rm -rf', removeRoot(folder))
    expect((await folder.apply({ kind: 'restore', target: `${run}:start` })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
  })

  test('an agent’s command: the events after it still arrive, and its tool call deleted the files', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const before = folder.tree()
    const say = (event: string, more: object): Promise<unknown> =>
      folder.engine.callUntyped(
        'agent.event',
        toHookEvent('claude-code', {
          event,
          input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...more }
        })
      )
    const call = { tool_name: 'Bash', tool_input: { command: 'rm -rf .' }, tool_use_id: 't' }
    await say('UserPromptSubmit', { prompt: 'clean up' })
    await say('PreToolUse', call)
    rmSync(folder.root, { recursive: true })
    await say('PostToolUse', { ...call, tool_response: {} })
    await say('Stop', { background_tasks: [] })
    const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 5 })
    expect(entries).toMatchObject([{ kind: 'run', state: 'ended', files: 2, deleted: 2 }])
    expect((await folder.apply({ kind: 'undo-run', run: entries[0]!.id })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
  })
})

describe('[RS-19] nothing is recorded as deleted', () => {
  test('when the folder was renamed beside its old place during a run', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const run = await folder.run('mv', () => renameSync(folder.root, `${folder.root}-2`))
    expect(await filesOf(folder, run)).toEqual([])
    expect(await status(folder)).toMatchObject({ folder: 'missing', deletedBy: null })
    await expect(folder.plan({ kind: 'undo-run', run })).rejects.toMatchObject({ code: 'FolderMissing' })
    expect(readFileSync(`${folder.root}-2/a.txt`, 'utf8')).toBe('a\n')
  })

  test('when the folder above is gone as well: its disk may be disconnected', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const run = await folder.run('mv', () => renameSync(dirname(folder.root), `${dirname(folder.root)}-2`))
    try {
      expect(await filesOf(folder, run)).toEqual([])
    } finally {
      renameSync(`${dirname(folder.root)}-2`, dirname(folder.root))
    }
  })

  test('when nothing is at work, before a person asks for a restore', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const before = folder.tree()
    const run = await folder.run('edit', () => writeFileSync(join(folder.root, 'a.txt'), 'two\n'))
    removeRoot(folder)()
    expect(await status(folder)).toMatchObject({ folder: 'missing', deletedBy: null, drift: [] })
    const request = { kind: 'restore', target: run, outside: 'replace' } as const
    expect((await folder.plan(request)).warnings).toContainEqual({ code: 'creates-folder', folder: folder.root })
    expect((await folder.apply(request)).state).toBe('done')
    expect(folder.tree()).toEqual(before)
  })
})

test('[RS-19] a file in place of the folder is not replaced', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const run = await folder.run('rm -rf', removeRoot(folder))
  writeFileSync(folder.root, 'mine')
  await expect(folder.apply({ kind: 'undo-run', run })).rejects.toMatchObject({ code: 'FolderMissing' })
  expect(readFileSync(folder.root, 'utf8')).toBe('mine')
  rmSync(folder.root)
  mkdirSync(folder.root)
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'src/deep/b.ts'), 'utf8')).toBe('b\n')
})
