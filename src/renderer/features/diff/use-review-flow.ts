/**
 * Review of hunks and files: what is decided (`keep.ts`, `use-undo.ts`), and what is shown next. A file is finished when
 * its last hunk is decided, however that came about.
 */
import { type RefObject, useRef } from 'react'
import type { FileChange, TextHunk } from '../../../contract/diff.ts'
import { allReviewed } from '../../../contract/words/files.ts'
import type { ReviewCommands } from '../../commands/state.ts'
import { nextToReview } from '../../model/file-order.ts'
import { useFileActions, useOpenWorkspace } from '../../state/open-workspace.tsx'
import { NO_FILES } from '../../state/store.ts'
import { announce } from '../../ui/live-region.tsx'
import { useToasts } from '../toast/toasts.tsx'
import { keepCommands } from './keep.ts'
import { isMadeFile } from './review.ts'
import type { HunkReview, TextViewHandle } from './text-view.tsx'
import type { FileDiffState } from './use-file-diff.ts'
import { type ReviewedFile, useReviewedFile } from './use-reviewed-file.ts'
import { useUndo } from './use-undo.ts'

interface FlowInput {
  readonly file: FileChange | null
  readonly state: FileDiffState
  /** "Undo" or "Restore". */
  readonly verb: string
  readonly text: RefObject<TextViewHandle | null>
  readonly onOpenFile: (path: string) => void
}

export interface ReviewFlow
  extends Omit<ReviewCommands, 'versions' | 'authors' | 'view' | 'comment' | 'symbols' | 'goToLine'>,
    HunkReview {
  /** Hunks of the shown text that can be kept or undone one by one. */
  readonly hunks: readonly TextHunk[]
}

export function useReviewFlow({ file, state, verb, text, onOpenFile }: FlowInput): ReviewFlow {
  const { actions } = useOpenWorkspace()
  const toasts = useToasts()
  const refuse = (text: string) => toasts.show({ id: 'unavailable', icon: 'info', text })
  const reviewed = useReviewedFile(file, state, verb)
  const { loaded, hunks } = reviewed
  const deciding = { reviewed, text, refuse, finish: useFinish(reviewed, onOpenFile) }
  const { keep, keepWhole, keepFile } = keepCommands(deciding)
  const { undo, undoFile } = useUndo(deciding)

  const decide = (action: 'keep' | 'undo') => {
    const n = text.current?.currentHunk() ?? text.current?.selectedLines()?.hunks[0] ?? null
    if (n !== null) return action === 'keep' ? keep(n) : undo(n)
    // A file without hunks, and one that the run made, is decided as a whole; a text of other edits not at all.
    const { diff } = loaded ?? {}
    const isOfOthers = diff?.view === 'text' && diff.hunks === undefined
    if ((hunks.length > 0 && file && !isMadeFile(file)) || isOfOthers)
      refuse(`No single change can be ${action === 'keep' ? 'kept' : 'undone'} here.`)
    else if (action === 'keep') keepWhole()
    else undoFile()
  }
  const latest = useRef(decide)
  latest.current = decide
  /** The change under the cursor is known once the text is in the editor, which may be after it is seen. */
  const decideCurrent = (action: 'keep' | 'undo') => {
    if (loaded) text.current?.whenShown(() => latest.current(action))
    else refuse('The changes of this file are not loaded yet.')
  }

  return {
    bars: reviewed.bars,
    hunks,
    act: (n, action) => {
      if (action === 'keep') keep(n)
      else if (action === 'undo') undo(n)
      else actions.showEntry(hunks.find((hunk) => hunk.n === n)?.undoneBy ?? '')
    },
    keepChange: () => decideCurrent('keep'),
    undoChange: () => decideCurrent('undo'),
    keepUnavailable: reviewed.keepDisabled,
    keepFile,
    undoFile
  }
}

/** Marks the file as decided, and opens the next one to review. */
function useFinish({ path, loaded, review, undoneBy }: ReviewedFile, onOpenFile: (path: string) => void) {
  const { store } = useOpenWorkspace()
  const { accept } = useFileActions()
  const openNextFile = (reviewed: ReadonlySet<string>) => {
    const files = store.getState().diff?.files ?? NO_FILES
    const next = nextToReview(files, path, reviewed)
    if (next) onOpenFile(next)
    else announce(`${allReviewed(files.length)}.`)
  }
  return () => {
    // An undone file needs no acceptance; otherwise the remaining outside changes are accepted.
    if (accept && undoneBy === null) accept([path])
    if (undoneBy !== null) review.setUndone(path)
    else if (loaded?.diff.partlyUndoneBy) review.setDecided(path, loaded.diff.partlyUndoneBy)
    else review.setReviewed([path], true)
    openNextFile(new Set(review.reviewed).add(path))
  }
}
