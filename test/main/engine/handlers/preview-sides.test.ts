/** The preview of a conflict has three sides: the result, the edits to undo, and the edits of others. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PreviewSide, RestoreRequest } from '../../../../src/contract/restore.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const START = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
const RUN = START.replace('line 3\n', 'RUN 3\n')
const BOTH = RUN.replace('line 15\n', 'mine 15\n')
const MINE = START.replace('line 15\n', 'mine 15\n')

const previewTexts = async (
  folder: RecordedFolder,
  act: RestoreRequest,
  side: PreviewSide,
  choice: 'merge' | 'replace'
): Promise<unknown> => {
  const { workspace } = folder
  const params = { workspace, request: act, path: 'a.txt', side, resolutions: { 'a.txt': choice } }
  const diff = await folder.engine.call('restore.preview', params)
  return diff.view === 'text' ? [diff.beforeText, diff.afterText] : diff.view
}
const write = (folder: RecordedFolder, text: string): void => writeFileSync(join(folder.root, 'a.txt'), text)

test.each(['undo-run', 'restore'] as const)('%s with a merge: each side is exact', async (kind) => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await folder.run('work', () => write(folder, RUN))
  write(folder, BOTH)
  await folder.check()
  const act: RestoreRequest = kind === 'undo-run' ? { kind, run } : { kind, target: `${run}:start` }
  expect(await previewTexts(folder, act, 'result', 'replace')).toEqual([BOTH, START])
  expect(await previewTexts(folder, act, 'result', 'merge')).toEqual([BOTH, MINE])
  expect(await previewTexts(folder, act, 'own', 'replace')).toEqual([MINE, BOTH])
  expect(await previewTexts(folder, act, 'others', 'replace')).toEqual([START, MINE])
  expect(readFileSync(join(folder.root, 'a.txt'), 'utf8')).toBe(BOTH)
})

test('without a merge, the sides are divided at the end of the run; the result has line counts', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await folder.run('work', () => write(folder, RUN))
  const over = RUN.replace('RUN 3\n', 'mine 3\n')
  write(folder, over)
  await folder.check()
  const request: RestoreRequest = { kind: 'undo-run', run }
  expect(await previewTexts(folder, request, 'own', 'replace')).toEqual([START, RUN])
  expect(await previewTexts(folder, request, 'others', 'replace')).toEqual([RUN, over])
  const { workspace } = folder
  const { counts } = await folder.engine.call('restore.preview', { workspace, request, path: 'a.txt' })
  expect(counts).toMatchObject({ added: 1, deleted: 1 })
})
