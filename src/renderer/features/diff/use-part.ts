/** Which part of the open file is shown where others wrote between its edits. */
import { useState } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import type { Selection } from '../files/selection.ts'
import type { Part } from './interleaved.tsx'

/** Another file, or another comparison, starts with its own part. */
export function usePart(
  selection: Selection,
  file: FileChange | null
): { readonly part: Part; choosePart(part: Part): void } {
  const of = `${selection.target} ${selection.to ?? ''} ${selection.run ?? ''} ${file?.path ?? ''}`
  const [chosen, setChosen] = useState<{ readonly of: string; readonly part: Part }>({ of, part: 'own' })
  return { part: chosen.of === of ? chosen.part : 'own', choosePart: (part) => setChosen({ of, part }) }
}
