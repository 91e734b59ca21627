/** Many concurrent calls on one engine, as from window, command line and hooks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

test('[LG-1] [RS-2] fifty concurrent calls with restores leave a valid log, and the folder in one of its recorded states', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0', 'd/c': '0' } })
  const { workspace, engine } = folder
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: '1', b: '1', 'd/c': '1', new: 'n' }))
  const calls: (() => Promise<unknown>)[] = []
  for (let i = 0; i < 10; i++) {
    calls.push(
      () => engine.call('workspace.status', { workspace, check: true }),
      () => folder.checkpoint(`${i}`),
      () => folder.plan({ kind: 'undo-run', run }),
      () => folder.apply(i % 2 === 0 ? { kind: 'undo-run', run } : { kind: 'undo' }),
      () => engine.call('diff.patch', { workspace, target: run, to: 'now' }),
      () => engine.call('doctor.run', { workspace, deep: true })
    )
  }
  const ends = await Promise.allSettled(calls.map((call) => call()))
  const codes = ends.flatMap((end) =>
    end.status === 'rejected' ? [(end.reason as { code?: string }).code ?? String(end.reason)] : []
  )
  expect(
    codes.filter((code) => code !== 'Refused'),
    'only "nothing to undo" may be refused'
  ).toEqual([])
  expect(['0', '1']).toContain(readFileSync(join(folder.root, 'a'), 'utf8'))
  expect(new Set(['a', 'b', 'd/c'].map((path) => readFileSync(join(folder.root, path), 'utf8'))).size).toBe(1)
  const { drift } = await engine.call('drift.list', { workspace, check: true })
  expect(drift).toEqual([])
  expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
})
