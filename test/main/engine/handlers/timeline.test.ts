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
