/** Which files are folded in the scroll of all files, and how high the others are before they are shown. Pure. */
import type { FileChange } from '../../../../contract/diff.ts'
import { plural } from '../../../../contract/words/numbers.ts'
import { groupOf } from '../../../model/file-order.ts'

/** A file with more changed lines is opened on request. */
const MANY_LINES = 2000

/** Why a file starts folded, in a few words; null if it starts open. */
export function foldReason(file: FileChange, reviewed: boolean): string | null {
  if (file.undoneBy) return 'Undone'
  if (reviewed) return 'Reviewed'
  const group = groupOf(file.path)
  if (group === 'generated') return 'Generated file'
  if (group === 'vendored') return 'Vendored file'
  if (file.kind === 'large') return 'Large file'
  const lines = file.added + file.deleted
  return lines > MANY_LINES ? plural(lines, 'changed line') : null
}

/** Files that a person opened or folded, with the reason that held then: another reason folds the file again. */
export type Folds = ReadonlyMap<string, { readonly reason: string | null; readonly open: boolean }>

export function isOpen(path: string, reason: string | null, folds: Folds): boolean {
  const chosen = folds.get(path)
  return chosen && chosen.reason === reason ? chosen.open : reason === null
}

/** Height of a file's header with the border of the file, px; all-files.css: .section-bar */
export const SECTION_BAR_PX = 41
const LINE_PX = 20
/** The bar of a hunk, six lines around it, and the fold above it. */
const HUNK_PX = 28 + 6 * LINE_PX + 24
const ONE_BAR_PX = 32
/** A card, a picture, or a text whose lines are not counted. */
const OTHER_PX = 260

/** Height of a file before it is measured, px. */
export function estimatedHeight(file: FileChange, open: boolean): number {
  if (!open) return SECTION_BAR_PX
  if (!file.counted || file.kind !== 'text') return SECTION_BAR_PX + OTHER_PX
  const lines = (file.added + file.deleted) * LINE_PX + 8
  const whole = file.change === 'added' || file.change === 'deleted'
  return SECTION_BAR_PX + (whole ? lines + ONE_BAR_PX : lines + Math.max(1, file.hunks) * HUNK_PX + 24)
}
