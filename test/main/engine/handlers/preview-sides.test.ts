/** A file in conflict is looked at from three sides: the result, what goes back, and what others wrote. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Act, PreviewSide } from '../../../../src/contract/restore.ts'
import { type Recorded, recordedFolder } from '../../../support/recorded.ts'

const START = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
const RUN = START.replace('line 3\n', 'RUN 3\n')
const BOTH = RUN.replace('line 15\n', 'mine 15\n')
const MINE = START.replace('line 15\n', 'mine 15\n')

const look = async (folder: Recorded, act: Act, side: PreviewSide, choice: 'merge' | 'replace'): Promise<unknown> => {
  const { workspace } = folder
  const asked = { workspace, act, path: 'a.txt', side, choices: { 'a.txt': choice } }
  const diff = await folder.engine.call('restore.preview', asked)
  return diff.view === 'text' ? [diff.beforeText, diff.afterText] : diff.view
}
const write = (folder: Recorded, text: string): void => writeFileSync(join(folder.root, 'a.txt'), text)

test.each(['undo-run', 'restore'] as const)('%s that merges: each side is exact', async (kind) => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await folder.run('work', () => write(folder, RUN))
  write(folder, BOTH)
  await folder.check()
  const act: Act = kind === 'undo-run' ? { kind, run } : { kind, target: `${run}:start` }
  expect(await look(folder, act, 'result', 'replace')).toEqual([BOTH, START])
  expect(await look(folder, act, 'result', 'merge')).toEqual([BOTH, MINE])
  expect(await look(folder, act, 'own', 'replace')).toEqual([MINE, BOTH])
  expect(await look(folder, act, 'others', 'replace')).toEqual([START, MINE])
  expect(readFileSync(join(folder.root, 'a.txt'), 'utf8')).toBe(BOTH)
})

test('where nothing merges, the sides part where the run ended; the result counts its lines', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await folder.run('work', () => write(folder, RUN))
  const over = RUN.replace('RUN 3\n', 'mine 3\n')
  write(folder, over)
  await folder.check()
  const act: Act = { kind: 'undo-run', run }
  expect(await look(folder, act, 'own', 'replace')).toEqual([START, RUN])
  expect(await look(folder, act, 'others', 'replace')).toEqual([RUN, over])
  const { workspace } = folder
  const { counts } = await folder.engine.call('restore.preview', { workspace, act, path: 'a.txt' })
  expect(counts).toMatchObject({ added: 1, deleted: 1 })
})
