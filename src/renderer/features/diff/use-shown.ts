/** What of the open file is shown: its change in the comparison, another part of that, or one version against the disk. */
import { useState } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import type { PathVersion } from '../../../contract/log.ts'
import type { Selection } from '../files/selection.ts'
import type { Part } from './interleaved.tsx'

export interface Shown {
  readonly selection: Selection
  readonly file: FileChange | null
  readonly part: Part
  readonly version: PathVersion | null
  choosePart(part: Part): void
  chooseVersion(version: PathVersion | null): void
}

interface Choice {
  /** The file of the comparison it was made for; another one starts with its change. */
  readonly of: string
  readonly part: Part
  readonly version: PathVersion | null
}

export function useShown(selection: Selection, file: FileChange | null): Shown {
  const of = `${selection.target} ${selection.to ?? ''} ${selection.run ?? ''} ${file?.path ?? ''}`
  const [chosen, setChosen] = useState<Choice>({ of, part: 'own', version: null })
  const { part, version } = chosen.of === of ? chosen : { part: 'own' as const, version: null }
  const choose = {
    choosePart: (next: Part) => setChosen({ of, part: next, version: null }),
    chooseVersion: (next: PathVersion | null) => setChosen({ of, part: 'own', version: next })
  }
  if (!version || !file) return { selection, file, part, version: null, ...choose }
  const { oldPath: _, ...alone } = file
  return {
    selection: { target: `seq:${version.seq}`, to: 'now', fromSeq: version.seq, toSeq: null },
    file: alone,
    part,
    version,
    ...choose
  }
}
