/** [RV-6] The findings of a shown file: those at a line of the text, and those about the whole file. */
import { useMemo } from 'react'
import type { Finding } from '../../../contract/findings.ts'
import { findingText } from '../../../contract/words/findings.ts'
import { useWorkspaceState } from '../../state/open-workspace.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { ShownLines } from './comment-places.ts'
import { placeFindings } from './finding-places.ts'
import type { LineZone } from './use-file-comments.tsx'
import './review.css'

const NONE: readonly Finding[] = []

export function useFileFindings(path: string | null, text: ShownLines) {
  const findings = useWorkspaceState((state) => state.findings?.findings ?? NONE)
  return useMemo(() => {
    const placed = placeFindings(
      findings.filter((finding) => finding.path === path),
      text
    )
    return {
      zones: placed.flatMap(({ finding, line }): LineZone[] =>
        line === null
          ? []
          : [
              {
                key: `finding ${finding.kind}`,
                side: finding.side,
                line,
                content: <FindingNote finding={finding} />
              }
            ]
      ),
      whole: placed.flatMap(({ finding, line }) => (line === null ? [finding] : []))
    }
  }, [findings, path, text])
}

/** One line of words, below its line or above the file. */
export function FindingNote({ finding }: { readonly finding: Finding }) {
  return (
    <p className="finding" role="note">
      <Icon name="eye" size="s" />
      {findingText(finding)}
    </p>
  )
}
