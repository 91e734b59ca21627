/** Keyboard navigation of the changed files. Pure. */
import { type PaneAction, paneAction } from '../../commands/pane-keys.ts'
import type { KeyPress } from '../../ui/keys.ts'
import type { ListShape } from '../../ui/list-keys.ts'
import type { Row } from './file-rows.ts'

export type FileListAction = PaneAction<'files'>

/** What a key does with focus on `row`, null if it has no action. Chords with Alt keep and undo files only. */
export function fileListAction(row: Row | undefined, press: KeyPress, letters: boolean): FileListAction | null {
  return press.altKey && row?.kind !== 'file' ? null : paneAction('files', press, letters)
}

/** The rows as lists see them. */
export function shapeOf(rows: readonly Row[]): ListShape {
  return {
    length: rows.length,
    pageRows: 15,
    levelOf: (index) => rows[index]?.level ?? 1,
    isExpanded: (index) => (rows[index]?.kind === 'folder' ? rows[index].open : null),
    textOf: (index) => (rows[index]?.kind === 'file' ? rows[index].name : (rows[index]?.label ?? ''))
  }
}

/** The next file row that is not reviewed: first below `at`, then from the top; `at` if all are reviewed. */
export function nextToReviewRow(rows: readonly Row[], at: number, reviewed: ReadonlySet<string>): number {
  const candidates = rows.flatMap((row, i) => (row.kind === 'file' && i !== at && !reviewed.has(row.id) ? [i] : []))
  return candidates.find((i) => i > at) ?? candidates[0] ?? at
}
