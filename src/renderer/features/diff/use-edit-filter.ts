/** Whose edits of the open file are shown, if others edited it during the run. */
import { useState } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import type { Selection } from '../files/selection.ts'
import type { EditFilter } from './interleaved-notice.tsx'

/** The filter is reset to the run's own edits for another file or comparison. */
export function useEditFilter(
  selection: Selection,
  file: FileChange | null
): { readonly filter: EditFilter; setFilter(filter: EditFilter): void } {
  const key = [selection.query.target, selection.query.to, selection.run, file?.path].join(' ')
  const [chosen, setChosen] = useState<{ readonly key: string; readonly filter: EditFilter }>({ key, filter: 'own' })
  return {
    filter: chosen.key === key ? chosen.filter : 'own',
    setFilter: (filter) => setChosen({ key, filter })
  }
}
