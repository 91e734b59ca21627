/** Keep: it only marks changes, and finishes a file with its last one. */
import { plural } from '../../../contract/words/numbers.ts'
import { announce } from '../../ui/live-region.tsx'
import { isWithinHunk, type SelectedLines } from './line-selection.ts'
import { decisionsOf, hunkKey, keptKeys, linesKey, nextUndecided } from './review.ts'
import { type Deciding, selectedIn } from './use-reviewed-file.ts'

/** `keep` toggles a hunk or its selected lines, `keepFile` the file; `keepWhole` only keeps it. */
export function keepCommands({ reviewed, text, finish, refuse }: Deciding) {
  const { path, review, hunks, kept, decisions, keepDisabled } = reviewed

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
    const selected = selectedIn(text.current, n)
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
  const keepWhole = () => (keepDisabled === null ? finish() : refuse(`Not kept: ${keepDisabled}.`))
  const keepFile = () => {
    if (!review.reviewed.has(path)) return keepWhole()
    review.setReviewed([path], false)
    announce('This file is no longer marked as reviewed.')
  }
  return { keep, keepWhole, keepFile }
}
