/** Keep and Undo, change by change and file by file: what each does, and where the reader goes next. */
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { FileChange, TextHunk } from '../../../contract/diff.ts'
import type { ReviewCommands } from '../../commands/state.ts'
import { announce } from '../../ui/live-region.tsx'
import { nextToReview } from '../files/file-order.ts'
import { count } from '../files/file-words.ts'
import type { BarState, ChangeAct } from './change-bars.ts'
import { changeKey, marksOf, nextOpen, type Review } from './review.ts'
import type { TextViewHandle } from './text-view.tsx'
import type { LoadedDiff } from './use-file-diff.ts'

interface FlowInput {
  readonly file: FileChange | null
  readonly files: readonly FileChange[]
  /** The file as shown; null while another one still is. */
  readonly loaded: LoadedDiff | null
  readonly review: Review
  /** What taking back is called here: "Undo", "Put back". */
  readonly verb: string
  readonly text: RefObject<TextViewHandle | null>
  readonly onAccept?: ((path: string) => void) | null
  readonly onOpenFile: (path: string) => void
  readonly onUndoFile: (path: string) => void
  readonly onUndoChange: (path: string, n: number) => void
  readonly onShowEntry: (id: string) => void
}

export interface ReviewFlow extends Omit<ReviewCommands, 'versions'> {
  readonly bars: BarState
  /** Changes of the shown text that can be decided one by one. */
  readonly hunks: readonly TextHunk[]
  act(n: number, act: ChangeAct): void
}

const NO_HUNKS: readonly TextHunk[] = []

export function useReviewFlow(input: FlowInput): ReviewFlow {
  const { file, loaded, review, verb, text } = input
  const path = file?.path ?? ''
  const hunks = (loaded?.diff.view === 'text' ? loaded.diff.hunks : undefined) ?? NO_HUNKS
  const kept = review.kept(path)
  const marks = useMemo(() => marksOf(hunks, kept), [hunks, kept])
  const bars = useMemo<BarState>(() => ({ marks, undo: `${verb} this change…` }), [marks, verb])
  const takenBack = loaded?.diff.takenBack ?? null

  const nextFile = (viewed: ReadonlySet<string>) => {
    const next = nextToReview(input.files, path, viewed)
    if (next) input.onOpenFile(next)
    else announce(`All ${count(input.files.length, 'file')} reviewed.`)
  }
  const finish = () => {
    // What is put back is decided on disk; the rest of a file under review is accepted.
    if (input.onAccept && takenBack === null) input.onAccept(path)
    review.setViewed(path, true)
    nextFile(new Set(review.viewed).add(path))
  }

  // What was asked to be taken back, and was: the file is done when nothing of it is open any more.
  const asked = useRef<string | null>(null)
  const latest = useRef(finish)
  latest.current = finish
  useEffect(() => {
    if (asked.current !== path) return
    const done = takenBack !== null || (hunks.length > 0 && nextOpen(hunks, marks, 0) === null)
    if (!done) return
    asked.current = null
    latest.current()
  }, [path, takenBack, hunks, marks])

  const keep = (n: number) => {
    const hunk = hunks.find((one) => one.n === n)
    if (!hunk) return
    if (marks.get(n) === 'taken-back') return announce('This change is taken back already.')
    const on = marks.get(n) !== 'kept'
    review.setKept(path, changeKey(hunk), on)
    if (!on) return announce(`Change ${n} waits for a decision again.`)
    const next = nextOpen(hunks, new Map(marks).set(n, 'kept'), n)
    if (!next) return finish()
    announce(`Kept. Change ${next.n} of ${hunks.length}.`)
    text.current?.goToChange(next.n)
  }
  const undo = (n: number) => {
    // The file asked for may still be on its way: the changes on screen are another one's.
    if (!hunks.some((hunk) => hunk.n === n)) return
    if (marks.get(n) === 'taken-back') return announce('This change is taken back already.')
    asked.current = path
    input.onUndoChange(path, n)
  }
  const undoFile = () => {
    if (takenBack !== null) return announce('This file is taken back already.')
    asked.current = path
    input.onUndoFile(path)
  }

  return {
    bars,
    hunks,
    act: (n, act) => {
      if (act === 'keep') keep(n)
      else if (act === 'undo') undo(n)
      else input.onShowEntry(hunks.find((hunk) => hunk.n === n)?.takenBack ?? '')
    },
    keepChange: () => {
      const n = text.current?.change() ?? null
      if (n !== null) keep(n)
      else if (loaded && hunks.length === 0) finish()
      else announce('No change here can be kept by itself.')
    },
    undoChange: () => {
      const n = text.current?.change() ?? null
      if (n !== null) undo(n)
      else if (loaded && hunks.length === 0) undoFile()
      else announce('No change here can be taken back by itself.')
    },
    keepFile: () => {
      if (!review.viewed.has(path)) return finish()
      review.setViewed(path, false)
      announce('This file waits for a decision again.')
    },
    undoFile
  }
}
