/** What the undo of a row does, and why it may not. */
import { expect, test } from 'vitest'
import { undoAction } from '../../../src/renderer/model/row-actions.ts'
import type { SelectableRow } from '../../../src/renderer/model/timeline-rows.ts'
import { run } from './make.ts'

function rowOf(entry: ReturnType<typeof run>): SelectableRow {
  return { kind: 'entry', key: entry.id, entry, open: false }
}

test('[GT-7] a run that changed nothing but git can be undone, another one without changes cannot', () => {
  const row = rowOf(run('run_a', 1, { files: 0, added: 0, deleted: 0 }))
  expect(undoAction(row, { status: null, gitChangedBy: 'run_a' }).request).toEqual({ kind: 'undo-run', run: 'run_a' })
  for (const gitChangedBy of [null, 'run_b'])
    expect(undoAction(row, { status: null, gitChangedBy }).disabledReason).toBe('This run changed no files')
})
