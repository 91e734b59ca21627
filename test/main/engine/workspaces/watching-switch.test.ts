/** Recording paused and resumed by a person. */
import { expect, test } from 'vitest'
import { createWatchingSwitch } from '../../../../src/main/engine/workspaces/watched-folder.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

test('[DR-5] changes made while recording was paused are found when it resumes, with the cause offline', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' }, watch: true })
  const { workspace, engine } = folder
  const watcher = async () => (await engine.call('workspace.status', { workspace, check: false })).watcher.state
  await expect.poll(watcher).toBe('live')
  expect(await engine.call('host.watch', { on: false })).toEqual({ watching: 'paused', lastEnd: 'clean' })
  const paused = await engine.call('workspace.status', { workspace, check: false })
  expect([paused.recording, paused.watcher.why]).toEqual([false, { code: 'paused' }])
  writeFiles(folder.root, { a: 'two', b: 'new' })
  await engine.call('host.watch', { on: true })
  const found = async () => (await engine.call('drift.list', { workspace, check: false })).drift
  await expect
    .poll(found, { timeout: 10_000 })
    .toMatchObject([{ state: 'open', cause: 'offline', paths: ['a', 'b'], count: 2 }])
  await expect.poll(watcher).toBe('live')
})

test('[UI-1] a run of a paused folder is still recorded', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' }, watch: true })
  await folder.engine.call('host.watch', { on: false })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two' }))
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run })
  expect(files.map((file) => file.path)).toEqual(['a'])
})

test('a process that is not a host refuses to pause', async () => {
  await using folder = await recordedFolder()
  expect(await folder.engine.call('host.state', {})).toEqual({ watching: 'off', lastEnd: 'clean' })
  await expect(folder.engine.call('host.watch', { on: true })).rejects.toMatchObject({ code: 'Refused' })
})

test('safe mode watches nothing until a person resumes recording', () => {
  const watching = createWatchingSwitch({ watch: true, safeMode: true })
  expect(watching.now()).toBe('safe-mode')
  watching.set('on')
  expect(watching.now()).toBe('on')
})

test('[CK-2] a recorder compares and watches a folder as soon as it has opened it, before any call and without a timer', {
  tags: ['linux']
}, async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFiles(folder.root, { a: 'two' })
  // The clock stands still: no walk begins, and nothing that is reported is checked.
  await folder.reopen({ watch: true, clock: createManualClock() })
  const { workspace } = folder
  const status = () => folder.engine.call('workspace.status', { workspace, check: false })
  await expect.poll(async () => (await status()).watcher.state).toBe('live')
  expect((await status()).drift).toMatchObject([{ cause: 'offline', paths: ['a'] }])
})
