/** Undo: it opens a preview, and whether it happened is read from the next diff. */
import { useEffect, useRef } from 'react'
import { useFileActions } from '../../state/open-workspace.tsx'
import { BY_OTHERS, nextUndecided } from './review.ts'
import { type Deciding, type ReviewedFile, selectedIn } from './use-reviewed-file.ts'

/** `undo` undoes a hunk or its selected lines, `undoFile` all of them. */
export function useUndo({ reviewed, text, finish, refuse }: Deciding) {
  const { path, hunks, decisions, undoneBy, undoDisabled } = reviewed
  const { undo: undoWholeFile, undoHunk, undoLines } = useFileActions()
  const undoStarted = useFinishAfterUndo(reviewed, finish)

  const undo = (n: number) => {
    const hunk = hunks.find((each) => each.n === n)
    if (!hunk) return
    if (decisions.get(n) === 'undone') return refuse('This change is already undone.')
    const reason = hunk.byOthers ? BY_OTHERS : undoDisabled
    if (reason !== null) return refuse(`Not undone: ${reason}.`)
    undoStarted.current = path
    const selected = selectedIn(text.current, n)
    if (selected) undoLines(path, selected.lines)
    else undoHunk(path, n)
  }
  const undoFile = () => {
    if (undoneBy !== null) return refuse('This file is already undone.')
    if (undoDisabled !== null) return refuse(`Not undone: ${undoDisabled}.`)
    undoStarted.current = path
    undoWholeFile([path])
  }
  return { undo, undoFile }
}

/**
 * Returns a ref for the path of the file that an undo was started in. Once a newer diff says that the file is decided,
 * its review is finished: not when the undo is asked for, because its preview may be closed.
 */
function useFinishAfterUndo({ path, undoneBy, hunks, decisions }: ReviewedFile, finish: () => void) {
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
