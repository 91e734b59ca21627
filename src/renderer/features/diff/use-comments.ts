/** The comments and findings of a shown file, and the commands that open a box for another comment. */
import { type RefObject, useMemo } from 'react'
import type { FileChange, FileDiff } from '../../../contract/diff.ts'
import type { Selection } from '../../model/diff-selection.ts'
import { useFileFindings } from '../review/file-findings.tsx'
import { useFileComments, useShownLines } from '../review/use-file-comments.tsx'
import type { PointedLines } from './text-doc.ts'
import type { TextViewHandle } from './text-view.tsx'

export function useComments(
  selection: Selection,
  file: FileChange | null,
  diff: FileDiff | null,
  text: RefObject<TextViewHandle | null>
) {
  const lines = useShownLines(diff)
  const comments = useFileComments(selection, file, lines)
  const findings = useFileFindings(file?.path ?? null, lines, diff?.after.hash ?? null)
  const zones = useMemo(() => [...findings.zones, ...comments.zones], [findings.zones, comments.zones])
  const commentOn = (lines: PointedLines | null) => {
    // Without an animation, so that the box is in view when it has the focus.
    if (lines) text.current?.showLine(lines)
    comments.open(lines)
  }
  return {
    ...comments,
    zones,
    findings: findings.whole,
    commentOn,
    commands: {
      comment: () => text.current?.whenShown(() => commentOn(text.current?.linesAtCursor() ?? null)),
      'comment-file': () => commentOn(null)
    }
  }
}
