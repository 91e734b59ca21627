/** How the letter and the flags of a changed file are drawn. */
import type { Flag, Letter } from '../../../contract/words/files.ts'
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
