/** A watching host while another process restores in the folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { runCrashChild } from '../../../support/crash-process.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

test('[DR-1] [DR-3] an edit reported while another process restores that path is found when the restore is done', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' }, watch: true })
  const { workspace } = folder
  const look = async () =>
    (await folder.engine.call('drift.list', { workspace, check: true })).drift.flatMap((drift) => drift.paths)
  const state = async () => (await folder.engine.call('workspace.status', { workspace, check: true })).watcher.state
  await expect.poll(state, { timeout: 10_000 }).toBe('live')
  expect(await look()).toEqual([])
  expect(await look()).toEqual([])
  const guard = await folder.checkpoint()
  const { pid, start } = ownProcess()
  folder.store(({ db, records }) => {
    const version = records.head('a')?.version
    db.prepare(
      "INSERT INTO restore(id, n, act, title, state, guard, target, whole, mode, at, plan, pid, pid_start) VALUES ('rst_other', 1, 'restore', 't', 'applying', ?, 'seq:0', 1, 'files', 0, '', ?, ?)"
    ).run(guard, pid, start)
    db.prepare(
      "INSERT INTO restore_item(restore, n, path, action, before, after, base, state) VALUES ('rst_other', 0, 'a', 'write', ?, ?, 0, 'planned')"
    ).run(version, version)
  })
  writeFileSync(join(folder.root, 'a'), 'by a person, at the last moment')
  writeFiles(folder.root, { b: 'by a person' })
  expect(await look(), "what is being restored is nobody's yet").toEqual(['b'])
  folder.store(({ db }) => db.prepare("UPDATE restore SET state = 'done'").run())
  expect(await look()).toEqual(['a', 'b'])
})

test('[DR-3] a watching host records neither its own restores nor those of another process as drift', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one', 'd/c': 'one' }, watch: true })
  const { workspace } = folder
  const status = () => folder.engine.call('workspace.status', { workspace, check: true })
  await expect.poll(async () => (await status()).watcher.state, { timeout: 10_000 }).toBe('live')
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { a: 'two', 'n/new': 'n' })
    remove(folder.root, 'd')
  })
  await folder.apply({ kind: 'undo-run', run })
  expect((await status()).drift).toEqual([])
  const heard = new Promise<number>((resolve) => folder.engine.on('workspace.changed', ({ rev }) => resolve(rev)))
  const ended = await runCrashChild(folder, { do: 'restore', request: { kind: 'undo' } })
  expect(ended.code, ended.errors).toBe(0)
  expect((await status()).drift).toEqual([])
  expect(await heard, '[LG-1] foreign commits are noticed').toBeGreaterThan(0)
  await folder.apply({ kind: 'redo' })
  expect((await status()).drift).toEqual([])
  writeFiles(folder.root, { a: 'a person' })
  expect((await status()).drift.flatMap((drift) => drift.paths)).toEqual(['a'])
})
