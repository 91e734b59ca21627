/** [RV-6] The findings of a shown file: those at a line of the text, and those about the whole file. */
import { useMemo, useRef } from 'react'
import type { Finding } from '../../../contract/findings.ts'
import { findingText } from '../../../contract/words/findings.ts'
import { useWorkspaceState } from '../../state/open-workspace.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { ShownLines } from './comment-places.ts'
import { placeFindings } from './finding-places.ts'
import type { LineZone } from './use-file-comments.tsx'
import './review.css'

const NONE: readonly Finding[] = []

/** `version`: what the later side of the shown text is, by its hash. */
export function useFileFindings(path: string | null, text: ShownLines, version: string | null) {
  const findings = useFindingsOf(path, version)
  return useMemo(() => {
    const placed = placeFindings(findings, text)
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
  }, [findings, text])
}

/**
 * [UI-42] A mark moves the lines below it, so while a run is live a text keeps those that were found in it: later ones
 * are about the next text.
 */
function useFindingsOf(path: string | null, version: string | null): readonly Finding[] {
  const known = useWorkspaceState((state) => state.findings?.findings ?? NONE)
  const live = useWorkspaceState((state) => state.live)
  const key = `${path} ${version}`
  const held = useRef({ key, findings: NONE })
  const ofPath = useMemo(() => known.filter((finding) => finding.path === path), [known, path])
  const fitting = useMemo(
    () => (live ? ofPath.filter((finding) => finding.version === version) : ofPath),
    [live, ofPath, version]
  )
  if (!live || fitting.length > 0 || held.current.key !== key) held.current = { key, findings: fitting }
  return held.current.findings
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
