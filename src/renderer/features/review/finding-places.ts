/** [RV-6] Where findings are in the text of a diff. Pure. The text may be another one than the run's (a filter of edits). */
import type { Finding } from '../../../contract/findings.ts'
import type { ShownLines } from './comment-places.ts'

interface PlacedFinding {
  readonly finding: Finding
  /** null: it is about the whole file, or its line is not among those shown. */
  readonly line: number | null
}

/** A line is only named where the text has it. One that may contain a secret is compared with nothing. */
export function placeFindings(findings: readonly Finding[], shown: ShownLines): PlacedFinding[] {
  return findings.map((finding) => {
    const { line, side, text } = finding
    const lines = shown[side]
    const there = line === null || !lines ? undefined : lines[line - 1]
    const isThere = there !== undefined && (text === '' || there.trim() === text)
    return { finding, line: isThere ? line : null }
  })
}
