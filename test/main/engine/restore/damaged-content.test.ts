/** [RS-18] One damaged content costs one path, in plans, restores, diffs, exports and undo; `doctor` says which and what to do. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../../../src/contract/checkpoint.ts'
import { doctorText } from '../../../../src/contract/words/doctor.ts'
import { runReport } from '../../../../src/contract/words/run-report.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const lines = (word: string): string => `${word}\n`.repeat(50)
const OLD = { 'a.txt': lines('a one'), 'b.txt': lines('b one'), 'dir/c.txt': lines('c one') }
const NEW = { 'a.txt': lines('nothing like it'), 'b.txt': 'b two\n', 'dir/c.txt': lines('c two') }

/** A run that changed three files, of which the version of `b.txt` before it is damaged afterwards. */
async function damaged(): Promise<{ folder: RecordedFolder; run: string }> {
  const folder = await recordedFolder({ files: OLD })
  const run = await folder.run('change all', () => writeFiles(folder.root, NEW))
  damage(folder, 'b.txt')
  return { folder, run }
}

/** Damages the content of a path's version at the start, in every byte of its row. */
function damage(folder: RecordedFolder, path: string): void {
  folder.store((store) => {
    const sql =
      'SELECT v.content FROM edit e JOIN version v ON v.id = e.before JOIN path p ON p.id = e.path WHERE p.name = ? ORDER BY e.seq'
    const content = store.db.prepare(sql).pluck().get(path)
    store.db.prepare('UPDATE content SET bytes = zeroblob(length(bytes)) WHERE id = ?').run(content)
  })
}

const text = (folder: RecordedFolder, path: string): string => readFileSync(join(folder.root, path), 'utf8')
const contents = (folder: RecordedFolder): string[] => Object.keys(OLD).map((path) => text(folder, path))
const kept = { path: 'b.txt', action: 'keep', note: { code: 'not-stored', reason: 'damaged' } }
const find = async (folder: RecordedFolder) => (await folder.engine.call('doctor.run', { deep: true })).problems

describe('[RS-18] a target that cannot be read', () => {
  test.each([
    ['a restore', (run: string) => ({ kind: 'restore', target: run }) as const],
    ['an undo of the run', (run: string) => ({ kind: 'undo-run', run }) as const]
  ])('%s names it in the plan, keeps it and restores all others; undo is exact', async (_, request) => {
    const { folder, run } = await damaged()
    await using _folder = folder
    const before = folder.tree()
    const plan = await folder.plan(request(run))
    expect(plan.items.map(({ path, action }) => [path, action])).toEqual([
      ['a.txt', 'write'],
      ['b.txt', 'keep'],
      ['dir/c.txt', 'write']
    ])
    expect(plan.items[1]).toMatchObject(kept)
    expect(folder.tree()).toEqual(before)
    const result = await folder.apply(request(run))
    expect(result.state).toBe('done')
    expect(result.items.find(({ path }) => path === 'b.txt')).toMatchObject({ ...kept, result: 'kept' })
    expect(contents(folder)).toEqual([OLD['a.txt'], NEW['b.txt'], OLD['dir/c.txt']])
    await folder.apply({ kind: 'undo' })
    expect(folder.tree()).toEqual(before)
  })

  test('a checkpoint that needs it can still be restored, and says why it is not complete', async () => {
    await using folder = await recordedFolder({ files: OLD })
    const pin = await folder.checkpoint('all well')
    await folder.run('change all', () => writeFiles(folder.root, NEW))
    damage(folder, 'b.txt')
    expect((await folder.apply({ kind: 'restore', target: pin })).state).toBe('done')
    expect(contents(folder)).toEqual([OLD['a.txt'], NEW['b.txt'], OLD['dir/c.txt']])
    const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace: folder.workspace, all: true })
    const broken = { status: 'broken', cause: { code: 'broken', path: 'b.txt' } } satisfies Partial<Checkpoint>
    expect(checkpoints.find(({ id }) => id === pin)).toMatchObject(broken)
  })

  test('undo of a restore whose replaced version was damaged meanwhile keeps that path and undoes the others', async () => {
    await using folder = await recordedFolder({ files: OLD })
    const run = await folder.run('change all', () => writeFiles(folder.root, NEW))
    await folder.apply({ kind: 'undo-run', run })
    folder.store((store) => {
      const sql =
        'SELECT v.content FROM edit e JOIN version v ON v.id = e.before JOIN path p ON p.id = e.path WHERE p.name = ? AND e.restore IS NOT NULL'
      const content = store.db.prepare(sql).pluck().get('b.txt')
      store.db.prepare('UPDATE content SET bytes = zeroblob(length(bytes)) WHERE id = ?').run(content)
    })
    expect((await folder.apply({ kind: 'undo' })).items.find(({ path }) => path === 'b.txt')).toMatchObject(kept)
    expect(contents(folder)).toEqual([NEW['a.txt'], OLD['b.txt'], NEW['dir/c.txt']])
  })

  test('damage between plan and restore changes the plan; nothing is written', async () => {
    await using folder = await recordedFolder({ files: OLD })
    const run = await folder.run('change all', () => writeFiles(folder.root, NEW))
    const request = { kind: 'restore', target: run } as const
    const { plan } = await folder.plan(request)
    damage(folder, 'b.txt')
    const apply = folder.engine.call('restore.apply', { workspace: folder.workspace, request, plan })
    await expect(apply).rejects.toMatchObject({ code: 'PlanStale' })
    expect(contents(folder)).toEqual(Object.values(NEW))
    expect((await folder.apply(request)).state).toBe('done')
    expect(contents(folder)).toEqual([OLD['a.txt'], NEW['b.txt'], OLD['dir/c.txt']])
  })

  test('when nothing else is left to restore, it is refused with the reason', async () => {
    const { folder, run } = await damaged()
    await using _folder = folder
    const result = await folder.apply({ kind: 'restore', target: run, paths: ['b.txt'] })
    expect(result).toMatchObject({ state: 'refused', items: [{ ...kept, result: 'kept' }] })
    expect(result.refusal).toBe('b.txt cannot be restored: its stored content is damaged.')
    expect(contents(folder)).toEqual(Object.values(NEW))
  })
})

test('[RS-18] a run of which an old content is damaged meanwhile is listed and ends; the path counts without lines', async () => {
  await using folder = await recordedFolder({ files: OLD })
  const { engine, workspace } = folder
  const { run } = await engine.call('run.begin', {
    workspace,
    agent: 'test',
    title: 'change all',
    pid: process.pid,
    pidStart: ''
  })
  writeFiles(folder.root, NEW)
  await folder.check()
  damage(folder, 'b.txt')
  const counts = { files: 3, added: 100, deleted: 100 }
  const { entries } = await engine.call('timeline.list', { workspace, limit: 1, countLive: true })
  expect(entries[0]).toMatchObject({ id: run, ...counts })
  await engine.call('run.end', { workspace, run, exitCode: 0 })
  expect((await engine.call('entry.show', { workspace, target: run })).entry).toMatchObject({
    state: 'ended',
    ...counts
  })
})

test('[RS-18] diffs and exports name the damaged path and show all others', async () => {
  const { folder, run } = await damaged()
  await using _folder = folder
  const { workspace } = folder
  const patch = await folder.engine.call('diff.patch', { workspace, target: run })
  expect(patch.files.map(({ path, notStored }) => [path, notStored])).toEqual([
    ['a.txt', undefined],
    ['b.txt', 'damaged'],
    ['dir/c.txt', undefined]
  ])
  expect(patch.warnings).toEqual([{ code: 'not-in-patch', paths: ['b.txt'], count: 1 }])
  expect(patch.patch).toContain('+c two')
  expect(patch.patch).not.toContain('b two')
  const file = { workspace, target: run, path: 'b.txt' }
  expect(await folder.engine.call('diff.file', file)).toMatchObject({ view: 'not-kept', reason: 'damaged' })
  const exported = await folder.engine.call('export.run', { workspace, run })
  expect(runReport(exported.run)).toContain('b.txt')
  await expect(folder.engine.call('file.cat', file)).rejects.toMatchObject({ code: 'NotStored' })
})

describe('[RS-18] doctor', () => {
  test('names the path, its positions and what to do; putting the content back into the folder repairs it', async () => {
    const { folder, run } = await damaged()
    await using _folder = folder
    const problems = await find(folder)
    expect(problems).toMatchObject([{ code: 'Content', affected: [{ path: 'b.txt', since: 0, upto: 2 }], count: 1 }])
    expect(doctorText(problems[0]!)).toBe(
      'The stored content of b.txt (positions 0 to 1) is damaged. A restore to such a position keeps the file as it is, names it, and restores all others. To repair 1 place, put a file with the former content into the folder, from a backup for instance: the next check stores it again.'
    )
    writeFileSync(join(folder.root, 'from a backup'), OLD['b.txt'])
    await folder.check()
    expect(await find(folder)).toEqual([])
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    expect(contents(folder)).toEqual(Object.values(OLD))
  })

  test('a repaired content keeps those that were packed against it readable', async () => {
    const long = Array.from({ length: 400 }, (_, n) => `line ${n} ${'x'.repeat(n % 37)}`).join('\n')
    await using folder = await recordedFolder({ files: { 'a.txt': long } })
    for (const n of [1, 2, 3])
      await folder.run(`step ${n}`, () => appendFileSync(join(folder.root, 'a.txt'), `\nmore ${n}`))
    const versions = [long, `${long}\nmore 1`, `${long}\nmore 1\nmore 2`, `${long}\nmore 1\nmore 2\nmore 3`]
    damage(folder, 'a.txt')
    expect((await find(folder)).length).toBeGreaterThan(0)
    for (const [n, version] of versions.entries()) writeFileSync(join(folder.root, `copy ${n}`), version)
    await folder.check()
    expect(await find(folder)).toEqual([])
    for (const [seq, version] of versions.entries()) {
      const { base64 } = await folder.engine.call('file.cat', {
        workspace: folder.workspace,
        target: `seq:${seq}`,
        path: 'a.txt'
      })
      expect(Buffer.from(base64, 'base64').toString()).toBe(version)
    }
  })

  test('the file in the folder repairs its own content at the next check', async () => {
    await using folder = await recordedFolder({ files: OLD })
    folder.store((store) => {
      const { content } = store.records.version(store.records.head('b.txt')?.version as number)
      store.db.prepare('UPDATE content SET bytes = zeroblob(length(bytes)) WHERE id = ?').run(content)
    })
    expect(await find(folder)).toMatchObject([{ affected: [{ path: 'b.txt', since: 0, upto: null }] }])
    await folder.check()
    expect(await find(folder)).toEqual([])
  })

  test('a mark whose content can be read again is removed', async () => {
    const { folder, run } = await damaged()
    await using _folder = folder
    const bytes = folder.store((store) => store.db.prepare('SELECT id, bytes FROM content').all()) as { id: number }[]
    expect(bytes.length).toBeGreaterThan(0)
    folder.store((store) => store.db.prepare('UPDATE content SET damaged = 1').run())
    expect((await folder.plan({ kind: 'undo-run', run })).items.map(({ action }) => action)).toEqual([
      'keep',
      'keep',
      'keep'
    ])
    await find(folder)
    expect((await folder.plan({ kind: 'undo-run', run })).items.map(({ action }) => action)).toEqual([
      'write',
      'keep',
      'write'
    ])
  })
})
