/** `run.describe`: a label and a note of a run, where they show, how they are undone and exported. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { linesOf, makeBundle } from '../../../support/bundles.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

test('[RN-3] a label replaces the title of a run everywhere, its prompt stays, and both are found', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { engine, workspace } = folder
  const run = await folder.run('Add tax', () => writeFileSync(join(folder.root, 'a.txt'), 'b\n'))
  await folder.run('Round', () => writeFileSync(join(folder.root, 'a.txt'), 'c\n'))
  const label = '  First\n try '
  const described = await engine.call('run.describe', { workspace, run, label, userNote: 'Too slow.\nTry a table.\n' })
  expect(described).toEqual({
    run,
    label: 'First try',
    userNote: 'Too slow.\nTry a table.',
    former: { label: '', userNote: '' }
  })
  const { entry } = await engine.call('entry.show', { target: run, workspace })
  expect(entry).toMatchObject({
    title: 'First try',
    prompt: 'Add tax',
    label: 'First try',
    userNote: expect.stringContaining('table')
  })

  const listed = async (text: string) =>
    (await engine.call('timeline.list', { workspace, limit: 10, text })).entries.map(({ id }) => id)
  for (const text of ['first T', 'add tax', 'a table']) expect(await listed(text)).toEqual([run])
  const { hits } = await engine.call('search.run', { workspace, text: 'try', limit: 10 })
  expect(hits.map(({ kind, text, run: of }) => [kind, text, of])).toEqual([
    ['note', 'Try a table.', run],
    ['note', 'First try', run]
  ])
  const plan = await engine.call('restore.plan', { workspace, request: { kind: 'undo-run', run } })
  expect(plan.title).toBe('"First try"')
})

test('[RN-3] a change of a label or a note is undone, and the undo too; what another one says stays', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { engine, workspace } = folder
  const run = await folder.run('Add tax', () => writeFileSync(join(folder.root, 'a.txt'), 'b\n'))
  const describe = (change: object) => engine.call('run.describe', { workspace, run, ...change })
  await describe({ label: 'one', userNote: 'kept' })
  await describe({ label: 'two' })
  expect(await describe({ undo: 'label' })).toMatchObject({ label: 'one', userNote: 'kept', former: { label: 'two' } })
  expect(await describe({ undo: 'label' })).toMatchObject({ label: 'two' })
  expect(await describe({ label: '' })).toMatchObject({ label: '', userNote: 'kept' })
  const { entry } = await engine.call('entry.show', { target: run, workspace })
  expect(entry).toMatchObject({ title: 'Add tax', label: '' })
  const before = await engine.call('timeline.list', { workspace, limit: 1 })
  expect(await describe({})).toMatchObject({ label: '', userNote: 'kept' })
  expect(await engine.call('timeline.list', { workspace, limit: 1 })).toEqual(before)
})

test('[RN-3] [SH-3] a bundle has the label and the note, without their secrets, and its review shows them', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  using temp = tempFolder()
  const { engine, workspace } = folder
  const run = await folder.run('Add tax', () => writeFileSync(join(folder.root, 'a.txt'), 'b\n'))
  const secret = `AKIA${'IOSFODNN7EXAMPLE'.slice(0, 16)}`
  await engine.call('run.describe', {
    workspace,
    run,
    label: 'First try',
    userNote: `See below.\nThe key is ${secret}`
  })
  const { run: exported } = await engine.call('export.run', { workspace, run })
  expect(exported).toMatchObject({ title: 'First try', prompt: 'Add tax' })
  const file = join(temp.path, 'run.driftline')
  expect(await makeBundle(engine, file, { workspace, run })).toMatchObject({ title: 'First try', maskedLines: 1 })
  expect(JSON.stringify(linesOf(readFileSync(file)))).not.toContain(secret)
  const { workspace: review } = await engine.call('bundle.open', { file })
  expect(review.bundle).toMatchObject({ title: 'First try' })
  const { entry } = await engine.call('entry.show', { workspace: review.id, target: run })
  expect(entry).toMatchObject({ title: 'First try', prompt: 'Add tax' })
  expect(entry.kind === 'run' && entry.userNote).toMatch(/^See below\.\n\(this line may contain a secret/)
  await expect(engine.call('run.describe', { workspace: review.id, run, label: 'x' })).rejects.toMatchObject({
    code: 'Refused'
  })
})

test('[RN-3] [RS-8] a restore that is refused while a run is live names the run by its label', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  const { engine, workspace } = folder
  const target = await folder.checkpoint()
  const { pid, start: pidStart } = ownProcess()
  const { run } = await engine.call('run.begin', { workspace, title: 'Add tax', agent: 'test', pid, pidStart })
  await engine.call('run.describe', { workspace, run, label: 'First try' })
  await expect(folder.apply({ kind: 'restore', target })).rejects.toThrow('"First try" is still running here')
  await engine.call('run.end', { workspace, run, exitCode: 0 })
})
