import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Params } from '../../../../src/contract/api.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'

test('[C4] the timeline is filtered by prompt, label and outside path, with a total and pages', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { workspace, engine } = folder
  for (let i = 0; i < 5; i++)
    await folder.run(`100% done ${i}`, () => writeFileSync(join(folder.root, 'a.txt'), `${i}\n`))
  await folder.checkpoint('Before the Tax work')
  writeFileSync(join(folder.root, 'outside_file.txt'), 'x')
  await folder.check()
  const list = async (text: string, limit = 10): Promise<[string[], number, boolean]> => {
    const { entries, total, more } = await engine.call('timeline.list', { workspace, limit, text })
    return [entries.map((entry) => entry.kind), total, more]
  }
  expect(await list('tax')).toEqual([['checkpoint'], 1, false])
  expect(await list('OUTSIDE_file')).toEqual([['drift'], 1, false])
  // % and _ match themselves.
  expect(await list('0% d', 2)).toEqual([['run', 'run'], 5, true])
  expect(await list('outsideXfile')).toEqual([[], 0, false])

  const first = await engine.call('timeline.list', { workspace, limit: 3 })
  const rest = await engine.call('timeline.list', { workspace, limit: 10, before: first.entries.at(-1)?.id as string })
  expect([first.more, first.total, rest.more, rest.entries.length]).toEqual([true, 7, false, 4])
})

test('[C4] the timeline is filtered by agent, time and open decisions, alone and together', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { workspace, engine, root } = folder
  const write = (text: string) => () => writeFileSync(join(root, 'a.txt'), text)
  await folder.run('first', write('1\n'))
  writeFileSync(join(root, 'outside.txt'), 'x')
  await folder.check()
  await folder.run('second', write('2\n'))
  const list = async (filter: Partial<Params<'timeline.list'>>) => {
    const { entries, total } = await engine.call('timeline.list', { workspace, limit: 10, ...filter })
    expect(total).toBe(entries.length)
    return entries.map((entry) => (entry.kind === 'run' ? entry.title : entry.kind))
  }
  const all = await engine.call('timeline.list', { workspace, limit: 10 })
  const [newest] = all.entries
  const agent = newest?.kind === 'run' ? newest.agent : ''
  expect(await list({ agent })).toEqual(['second', 'first'])
  expect(await list({ agent: 'codex' })).toEqual([])
  expect(await list({ undecided: true })).toEqual(['drift'])
  const [, drift] = all.entries
  expect(await list({ since: drift?.at ?? 0 })).toEqual(['second', 'drift'])
  expect(await list({ since: (newest?.at ?? 0) + 60_000 })).toEqual([])
  expect(await list({ agent, since: drift?.at ?? 0, text: 'sec' })).toEqual(['second'])
  await engine.call('drift.accept', { workspace, drift: drift?.id ?? '' })
  expect(await list({ undecided: true })).toEqual([])
})

test('[UI-35] the timeline is filtered by file and folder: runs, and outside changes', async () => {
  await using folder = await recordedFolder({ files: { 'src/a.txt': 'a\n', 'src.txt': 's\n', 'b.txt': 'b\n' } })
  const { workspace, engine, root } = folder
  const write = (path: string) => writeFileSync(join(root, path), path)
  await folder.run('in the folder', () => write('src/a.txt'))
  await folder.run('beside it', () => write('src.txt'))
  write('src/outside.txt')
  await folder.check()
  const list = async (path: string) => {
    const { entries, total } = await engine.call('timeline.list', { workspace, limit: 10, path })
    expect(total).toBe(entries.length)
    return entries.map((entry) => (entry.kind === 'run' ? entry.title : entry.kind))
  }
  expect(await list('src')).toEqual(['drift', 'in the folder'])
  expect(await list('src/a.txt')).toEqual(['in the folder'])
  expect(await list('src.txt')).toEqual(['beside it'])
  expect(await list('sr')).toEqual([])
  expect(await list('')).toHaveLength(3)
})

test('[UI-35] runs with conflicts are those with a file that others changed later, until they are undone', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } })
  const { workspace, engine, root } = folder
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  const first = await folder.run('first', () => write('a.txt', '1\n'))
  const list = async () =>
    (await engine.call('timeline.list', { workspace, limit: 10, conflicts: true })).entries.map(({ title }) => title)
  expect(await list()).toEqual([])
  await folder.run('second', () => {
    write('a.txt', '2\n')
    write('b.txt', '2\n')
  })
  expect(await list()).toEqual(['first'])
  write('b.txt', 'mine\n')
  await folder.check()
  expect(await list()).toEqual(['second', 'first'])
  await folder.apply({ kind: 'undo-run', run: first }, { 'a.txt': 'replace' })
  expect(await list()).not.toContain('first')
})

test('[UI-34] the oldest entries are listed on request, newest of them first', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { workspace, engine, root } = folder
  for (let n = 1; n <= 4; n++) await folder.run(`run ${n}`, () => writeFileSync(join(root, 'a.txt'), `${n}\n`))
  const list = async (limit: number) => {
    const page = await engine.call('timeline.list', { workspace, limit, oldest: true })
    return [page.entries.map(({ title }) => title), page.more, page.total]
  }
  expect(await list(2)).toEqual([['run 2', 'run 1'], true, 4])
  expect(await list(4)).toEqual([['run 4', 'run 3', 'run 2', 'run 1'], false, 4])
})

test('a run counts what its diff lists: empty folders and folder modes, but no folder that was created for a file', async () => {
  await using folder = await recordedFolder({ files: { 'src/a.txt': 'a\n' } })
  const { workspace, engine, root } = folder
  const runs = [
    await folder.run('an empty folder', () => mkdirSync(join(root, 'made'))),
    await folder.run('the mode of a folder', () => chmodSync(join(root, 'src'), 0o700)),
    await folder.run('both and a file', () => {
      mkdirSync(join(root, 'deep/er'), { recursive: true })
      writeFileSync(join(root, 'deep/er/b.txt'), 'b\n')
      mkdirSync(join(root, 'deep/empty'))
    })
  ]
  const counts: unknown[] = []
  for (const run of runs) {
    const { entry, turns } = await engine.call('entry.show', { workspace, target: run })
    const { files } = await engine.call('diff.files', { workspace, target: run })
    counts.push([entry.kind === 'run' && entry.files, turns.map((turn) => turn.files), files.length])
  }
  expect(counts).toEqual([
    [1, [1], 1],
    [1, [1], 1],
    [2, [2], 2]
  ])
})

test('[UI-13] a live run has the counts of its diff, after each edit; with many files only their number unless asked', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { workspace, engine, root } = folder
  const { pid, start } = ownProcess()
  const { run } = await engine.call('run.begin', { workspace, title: 'go', agent: 'command', pid, pidStart: start })
  const counts = async (countLive = false): Promise<unknown> => {
    const [listed] = (await engine.call('timeline.list', { workspace, limit: 1, countLive })).entries
    const { entry } = await engine.call('entry.show', { workspace, target: run, countLive })
    expect(entry).toEqual(listed)
    return entry.kind === 'run' && [entry.state, entry.files, entry.added, entry.deleted]
  }
  expect(await counts()).toEqual(['live', 0, 0, 0])
  writeFileSync(join(root, 'a.txt'), 'a\nb\nc\n')
  await folder.check()
  expect(await counts()).toEqual(['live', 1, 2, 0])
  renameSync(join(root, 'a.txt'), join(root, 'b.txt'))
  await folder.check()
  expect(await counts()).toEqual(['live', 1, 2, 0])
  for (let i = 0; i < 1000; i++) writeFileSync(join(root, `new-${i}`), 'new\n')
  await folder.check()
  expect(await counts()).toEqual(['live', 1002, 0, 0])
  expect(await counts(true)).toEqual(['live', 1001, 1002, 0])
  await engine.call('run.end', { workspace, run, exitCode: 0 })
  expect(await counts()).toEqual(['ended', 1001, 1002, 0])
})
