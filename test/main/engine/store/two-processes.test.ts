/** Two processes write one store at once: nothing is lost, no seq is used twice, and only one of them restores. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import type { Signature } from '../../../../src/main/engine/files/signature.ts'
import { openDatabase } from '../../../../src/main/engine/store/database.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import type { Head } from '../../../../src/main/engine/store/paths.ts'
import { readTogether, transact } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { runCrashChild, startCrashChild } from '../../../support/crash-process.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { writeFiles } from '../../../support/tree.ts'

const CAPTURES = LONG ? 100 : 15

test(`[A20] [LG-1] [LG-2] two processes capture ${CAPTURES} times each: every content is stored, every seq is used once`, async () => {
  await using folder = await recordedFolder({ files: { left: 'start', right: 'start' } })
  const ends = await Promise.all([
    runCrashChild(folder, { do: 'captures', name: 'left', count: CAPTURES }),
    runCrashChild(folder, { do: 'captures', name: 'right', count: CAPTURES })
  ])
  for (const end of ends) expect(end, end.errors).toMatchObject({ code: 0 })
  for (const name of ['left', 'right']) {
    const history = await folder.engine.call('file.history', { workspace: folder.workspace, path: name })
    const seqs = history.versions.map((version) => version.seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => b - a))
    // A process may read the other's file between two writes and record it as changing (CP-2); the writer itself stores each.
    const stored = history.versions.filter((version) => version.stored).map((version) => version.seq)
    const contents = await Promise.all(
      stored.map(async (seq) => {
        const { base64 } = await folder.engine.call('file.cat', {
          workspace: folder.workspace,
          target: `seq:${seq}`,
          path: name
        })
        return Buffer.from(base64, 'base64').toString()
      })
    )
    // A write truncates the file first; a process that reads at that moment records the empty file. After either, the
    // same content is recorded once more.
    const written = contents.reverse().filter((text) => text !== '')
    expect(written.filter((text, n) => text !== written[n - 1])).toEqual([
      'start',
      ...Array.from({ length: CAPTURES }, (_, i) => `${name} ${i}\n`)
    ])
  }
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: false })
  expect(drift, 'one open drift holds them all').toHaveLength(1)
}, 60_000)

test('[LG-1] rows that are read together are of one moment, whoever writes meanwhile, and no write begins among them', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const file = storeFile(folder.dataDir, folder.workspace)
  const [reader, writer] = [openStore(file), openStore(file)]
  try {
    const modeNow = (): number | undefined => reader.records.head('a')?.signature?.mode
    const setMode = (mode: number): void =>
      transact(writer, ({ records }) => {
        const { id, signature, statAt } = records.head('a') as Head
        records.setSignature(id, { ...(signature as Signature), mode }, statAt)
      })
    setMode(0o600)
    const modes = readTogether(reader, () => {
      const before = modeNow()
      setMode(0o640)
      return [before, modeNow()]
    })
    expect([...modes, modeNow()]).toEqual([0o600, 0o600, 0o640])
    expect(() => readTogether(reader, () => transact(reader, () => null))).toThrow('readTogether')
    expect(transact(reader, ({ records }) => records.head('a')?.path)).toBe('a')
  } finally {
    reader.close()
    writer.close()
  }
})

test('[LG-1] rev grows with every write of any process', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const revs: number[] = []
  const mine = async (): Promise<void> => {
    writeFiles(folder.root, { a: `mine ${revs.length}` })
    await folder.check()
  }
  for (const write of [mine, () => runCrashChild(folder, { do: 'captures', name: 'a', count: 1 }), mine]) {
    await write()
    revs.push((await folder.engine.call('workspace.status', { workspace: folder.workspace, check: false })).rev)
  }
  expect(revs).toEqual([...new Set(revs)].sort((a, b) => a - b))
})

test('[RS-2] two processes that restore at once never both write', async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d/${i}`, `old ${i}`]))
  await using folder = await recordedFolder({ files })
  for (let round = 0; round < (LONG ? 4 : 1); round++) {
    const run = await folder.run('edit', () =>
      writeFiles(folder.root, Object.fromEntries(Object.keys(files).map((path) => [path, `new ${round} ${path}`])))
    )
    const request: RestoreRequest = { kind: 'restore', target: run }
    const children = [0, 1].map(() => startCrashChild(folder, { do: 'restores', request }))
    await Promise.all(children.map(({ child }) => once(child, 'message')))
    const replies = children.map(async ({ child }) => (await once(child, 'message'))[0] as string)
    for (const { child } of children) child.send('go')
    const ends = (await Promise.all(replies)).sort()
    for (const { ended } of children) expect((await ended).code).toBe(0)
    // The second may also start after the first has finished: then there is nothing to do.
    expect(
      ends.filter((end) => end === 'done'),
      ends.join()
    ).toHaveLength(1)
    expect(['PlanStale', 'Refused', 'nothing-to-do']).toContain(ends.find((end) => end !== 'done'))
    for (const path of Object.keys(files)) expect(readFileSync(join(folder.root, path), 'utf8')).toBe(files[path])
    const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
    expect([status.interruptedRestore, status.drift]).toEqual([null, []])
    const restores = folder.store((store) =>
      store.db.prepare("SELECT state FROM restore WHERE state = 'applying'").all()
    )
    expect(restores).toEqual([])
  }
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
}, 60_000)

test('[RS-7] while another process writes a restore, no one else restores or recovers, and its files are not drift', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const { openRecorder } = await import('../../../support/crash-recorder.ts')
  await using recorder = openRecorder(folder.dataDir, folder.workspace)
  const staging = Promise.withResolvers<void>()
  // Both engines live in this process, so the owner of the restore is alive.
  const restoring = recorder.restore({
    request: { kind: 'undo-run', run },
    progress: (_, phase) => {
      if (phase === 'stage') staging.resolve()
    }
  })
  await staging.promise
  const refusals = await Promise.all(
    (['restore', 'recover'] as const).map((kind) =>
      folder.apply(kind === 'restore' ? { kind, target: run } : { kind, how: 'finish' }).then(
        (result) => result.state,
        (error: { code: string }) => error.code
      )
    )
  )
  await restoring
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(refusals.filter((end) => end === 'done')).toEqual([])
  expect(drift).toEqual([])
})

test('[A20] a history that another program keeps locked is refused by name, and nothing is lost', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const file = storeFile(folder.dataDir, folder.workspace)
  const other = openDatabase(file)
  other.exec('BEGIN IMMEDIATE')
  const store = openStore(file)
  store.db.pragma('busy_timeout = 0')
  expect(() => transact(store, () => undefined)).toThrow(
    expect.objectContaining({
      code: 'Refused',
      message: expect.stringContaining('Another program has the history locked')
    })
  )
  other.exec('ROLLBACK')
  expect(transact(store, () => 'works')).toBe('works')
  store.close()
  other.close()
})
