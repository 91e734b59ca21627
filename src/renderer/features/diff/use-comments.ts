/** The comments of a shown file, and the commands that open a box for another one. */
import type { RefObject } from 'react'
import type { FileChange, FileDiff } from '../../../contract/diff.ts'
import type { Selection } from '../../model/diff-selection.ts'
import { useFileComments } from '../review/use-file-comments.tsx'
import type { PointedLines } from './text-doc.ts'
import type { TextViewHandle } from './text-view.tsx'

export function useComments(
  selection: Selection,
  file: FileChange | null,
  diff: FileDiff | null,
  text: RefObject<TextViewHandle | null>
) {
  const comments = useFileComments(selection, file, diff)
  const commentOn = (lines: PointedLines | null) => {
    // Without an animation, so that the box is in view when it has the focus.
    if (lines) text.current?.showLine(lines)
    comments.open(lines)
  }
  return {
    ...comments,
    commentOn,
    commands: {
      comment: () => commentOn(text.current?.linesAtCursor() ?? null),
      'comment-file': () => commentOn(null)
    }
  }
}
