/** How the letter and the flags of a changed file are drawn. */
import type { FileChange } from '../../../contract/diff.ts'
import type { Flag, Letter } from '../../../contract/words/files.ts'
import { formatNumber } from '../../../contract/words/numbers.ts'
import type { IconName } from '../../ui/icon.tsx'

/** CSS class of a letter: `.st.A`; `.st.q` for the question mark. */
export function letterClass(letter: Letter): string {
  return letter === '?' ? 'st q' : `st ${letter}`
}

export const FLAG_ICONS: Readonly<Record<Flag['code'], IconName>> = {
  'not-stored': 'none',
  secret: 'lock',
  interleaved: 'drift',
  inferred: 'inferred',
  shared: 'shared'
}

/** Widths of the two columns of line counts, in characters: as wide as the longest count, nothing without one. */
export function countColumns(files: readonly FileChange[]): {
  readonly '--added-chars': number
  readonly '--deleted-chars': number
} {
  const width = (count: (file: FileChange) => number): number => {
    const most = files.reduce((max, file) => (file.counted ? Math.max(max, count(file)) : max), 0)
    return most === 0 ? 0 : formatNumber(most).length + 1
  }
  return { '--added-chars': width(({ added }) => added), '--deleted-chars': width(({ deleted }) => deleted) }
}
