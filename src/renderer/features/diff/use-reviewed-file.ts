/** The file that a review decides about: its hunks on screen, and what was decided of them. */
import { type RefObject, useMemo } from 'react'
import type { FileChange, TextHunk } from '../../../contract/diff.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useKeepUnavailable, useReview, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { Review } from '../../state/reviews.ts'
import type { HunkBarState } from './hunk-bars.ts'
import type { SelectedLines } from './line-selection.ts'
import { type Decision, decisionsOf, marksOf } from './review.ts'
import type { TextViewHandle } from './text-view.tsx'
import type { FileDiffState, LoadedDiff } from './use-file-diff.ts'

export interface ReviewedFile {
  /** "" without a file. */
  readonly path: string
  /** null while the file is loading: the diff on screen belongs to another one. */
  readonly loaded: LoadedDiff | null
  readonly review: Review
  /** Hunks of the shown text that can be kept or undone one by one. */
  readonly hunks: readonly TextHunk[]
  /** Keys of the hunks and lines that were kept. */
  readonly kept: ReadonlySet<string>
  readonly decisions: ReadonlyMap<number, Decision>
  readonly bars: HunkBarState
  /** The restore that undid the file. */
  readonly undoneBy: string | null
  /** Why nothing can be undone now. */
  readonly undoDisabled: string | null
  /** Why nothing can be kept now. */
  readonly keepDisabled: string | null
}

/** What Keep and Undo work on. */
export interface Deciding {
  readonly reviewed: ReviewedFile
  readonly text: RefObject<TextViewHandle | null>
  /** The whole file is decided: the next one is opened. */
  readonly finish: () => void
  /** Says why nothing is done. */
  readonly refuse: (text: string) => void
}

const NO_HUNKS: readonly TextHunk[] = []

/** `verb`: "Undo" or "Restore". */
export function useReviewedFile(file: FileChange | null, state: FileDiffState, verb: string): ReviewedFile {
  const loaded = state.current ? state.loaded : null
  const review = useReview()
  const path = file?.path ?? ''
  const hunks = (loaded?.diff.view === 'text' ? loaded.diff.hunks : undefined) ?? NO_HUNKS
  const kept = review.kept(path)
  const decisions = useMemo(() => decisionsOf(hunks, kept), [hunks, kept])
  const undoDisabled = useWorkspaceState(restoreUnavailable)
  const keepDisabled = useKeepUnavailable()
  const bars = useMemo<HunkBarState>(
    () => ({ hunks, marks: marksOf(hunks, decisions, kept), verb, undoDisabled, keepDisabled }),
    [hunks, decisions, kept, verb, undoDisabled, keepDisabled]
  )
  const undoneBy = loaded?.diff.undoneBy ?? null
  return { path, loaded, review, hunks, kept, decisions, bars, undoneBy, undoDisabled, keepDisabled }
}

/** The selected lines, if some are in the hunk: these lines are then kept or undone, not the whole hunk. */
export function selectedIn(text: TextViewHandle | null, n: number): SelectedLines | null {
  const selected = text?.selectedLines()
  return selected?.hunks.includes(n) ? selected : null
}
