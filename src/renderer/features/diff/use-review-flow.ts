/**
 * Review of hunks and files: what Keep and Undo do, and what is shown next.
 * Keep only marks (`review.ts`); Undo opens a preview, and whether it happened is read from the next diff. A file is
 * finished when its last hunk is decided, however that came about.
 */
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { FileChange, TextHunk } from '../../../contract/diff.ts'
import { allReviewed } from '../../../contract/words/files.ts'
import { plural } from '../../../contract/words/numbers.ts'
import type { ReviewCommands } from '../../commands/state.ts'
import { nextToReview } from '../../model/file-order.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import {
  useFileActions,
  useKeepUnavailable,
  useOpenWorkspace,
  useReview,
  useWorkspaceState
} from '../../state/open-workspace.tsx'
import { NO_FILES } from '../../state/store.ts'
import { announce } from '../../ui/live-region.tsx'
import { useToasts } from '../toast/toasts.tsx'
import type { HunkBarState } from './hunk-bars.ts'
import { isWithinHunk, type SelectedLines } from './line-selection.ts'
import {
  BY_OTHERS,
  type Decision,
  decisionsOf,
  hunkKey,
  isMadeFile,
  keptKeys,
  linesKey,
  marksOf,
  nextUndecided
} from './review.ts'
import type { HunkReview, TextViewHandle } from './text-view.tsx'
import type { FileDiffState } from './use-file-diff.ts'

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

const NO_HUNKS: readonly TextHunk[] = []

export function useReviewFlow({ file, state, verb, text, onOpenFile }: FlowInput): ReviewFlow {
  // While the file is loading, the diff on screen belongs to another one.
  const loaded = state.current ? state.loaded : null
  const { store, actions } = useOpenWorkspace()
  const { accept, undo: undoWholeFile, undoHunk, undoLines } = useFileActions()
  const review = useReview()
  const toasts = useToasts()
  const refuse = (text: string) => toasts.show({ id: 'unavailable', icon: 'info', text })
  const path = file?.path ?? ''
  const hunks = (loaded?.diff.view === 'text' ? loaded.diff.hunks : undefined) ?? NO_HUNKS
  const kept = review.kept(path)
  const decisions = useMemo(() => decisionsOf(hunks, kept), [hunks, kept])
  const unavailable = useWorkspaceState(restoreUnavailable)
  const keepDisabled = useKeepUnavailable()
  const bars = useMemo<HunkBarState>(
    () => ({ hunks, marks: marksOf(hunks, decisions, kept), verb, undoDisabled: unavailable, keepDisabled }),
    [hunks, decisions, kept, verb, unavailable, keepDisabled]
  )
  const undoneBy = loaded?.diff.undoneBy ?? null

  const openNextFile = (reviewed: ReadonlySet<string>) => {
    const files = store.getState().diff?.files ?? NO_FILES
    const next = nextToReview(files, path, reviewed)
    if (next) onOpenFile(next)
    else announce(`${allReviewed(files.length)}.`)
  }
  const finish = () => {
    // An undone file needs no acceptance; otherwise the remaining outside changes are accepted.
    if (accept && undoneBy === null) accept([path])
    if (undoneBy !== null) review.setUndone(path)
    else if (loaded?.diff.partlyUndoneBy) review.setDecided(path, loaded.diff.partlyUndoneBy)
    else review.setReviewed([path], true)
    openNextFile(new Set(review.reviewed).add(path))
  }

  const undoStarted = useFinishAfterUndo({ path, undoneBy, hunks, decisions }, finish)

  /** The selected lines, if the hunk has some of them: they are decided instead of it. */
  const selectedIn = (n: number) => {
    const selected = text.current?.selectedLines()
    return selected?.hunks.includes(n) ? selected : null
  }
  const keepLines = ({ hunks: numbers, lines, count }: SelectedLines) => {
    const some = hunks.filter(({ n }) => numbers.includes(n))
    const keys = some.flatMap((hunk) =>
      lines.filter((part) => isWithinHunk(hunk, part)).map((part) => linesKey(hunk, part))
    )
    const on = !keys.every((key) => kept.has(key))
    for (const key of keys) review.setKept(path, key, on)
    if (!on) return announce(`${plural(count, 'line')} no longer kept.`)
    const now = decisionsOf(hunks, new Set([...kept, ...keys]))
    if (nextUndecided(hunks, now, 0) === null) return finish()
    announce(`Kept ${plural(count, 'line')}.`)
  }
  const keep = (n: number) => {
    const hunk = hunks.find((each) => each.n === n)
    if (!hunk) return
    if (keepDisabled !== null) return refuse(`Not kept: ${keepDisabled}.`)
    const selected = selectedIn(n)
    if (selected) return keepLines(selected)
    if (decisions.get(n) === 'undone') return refuse('This change is already undone.')
    const on = decisions.get(n) !== 'kept'
    for (const key of on ? [hunkKey(hunk)] : keptKeys(hunk, kept)) review.setKept(path, key, on)
    if (!on) return announce(`Change ${n} is no longer kept.`)
    const next = nextUndecided(hunks, new Map(decisions).set(n, 'kept'), n)
    if (!next) return finish()
    announce(`Kept. Change ${next.n} of ${hunks.length}.`)
    text.current?.goToHunk(next.n)
  }
  const undo = (n: number) => {
    const hunk = hunks.find((each) => each.n === n)
    if (!hunk) return
    if (decisions.get(n) === 'undone') return refuse('This change is already undone.')
    const reason = hunk.byOthers ? BY_OTHERS : unavailable
    if (reason !== null) return refuse(`Not undone: ${reason}.`)
    undoStarted.current = path
    const selected = selectedIn(n)
    if (selected) undoLines(path, selected.lines)
    else undoHunk(path, n)
  }
  const undoFile = () => {
    if (undoneBy !== null) return refuse('This file is already undone.')
    if (unavailable !== null) return refuse(`Not undone: ${unavailable}.`)
    undoStarted.current = path
    undoWholeFile([path])
  }

  const keepWhole = () => (keepDisabled === null ? finish() : refuse(`Not kept: ${keepDisabled}.`))

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
    bars,
    hunks,
    act: (n, action) => {
      if (action === 'keep') keep(n)
      else if (action === 'undo') undo(n)
      else actions.showEntry(hunks.find((hunk) => hunk.n === n)?.undoneBy ?? '')
    },
    keepChange: () => decideCurrent('keep'),
    undoChange: () => decideCurrent('undo'),
    keepUnavailable: keepDisabled,
    keepFile: () => {
      if (!review.reviewed.has(path)) return keepWhole()
      review.setReviewed([path], false)
      announce('This file is no longer marked as reviewed.')
    },
    undoFile
  }
}

interface DecidedFile {
  readonly path: string
  readonly undoneBy: string | null
  readonly hunks: readonly TextHunk[]
  readonly decisions: ReadonlyMap<number, Decision>
}

/**
 * Returns a ref for the path of the file that an undo was started in. Once a newer diff says that the file is decided,
 * its review is finished: not when the undo is asked for, because its preview may be closed.
 */
function useFinishAfterUndo({ path, undoneBy, hunks, decisions }: DecidedFile, finish: () => void) {
  const undoStarted = useRef<string | null>(null)
  const latest = useRef(finish)
  latest.current = finish
  useEffect(() => {
    if (undoStarted.current !== path) return
    const done = undoneBy !== null || (hunks.length > 0 && nextUndecided(hunks, decisions, 0) === null)
    if (!done) return
    undoStarted.current = null
    latest.current()
  }, [path, undoneBy, hunks, decisions])
  return undoStarted
}
