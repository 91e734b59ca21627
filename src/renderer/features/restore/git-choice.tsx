/** [GT-7] Below the files of a restore: what of git's own state differs, each with a checkbox. */
import type { GitItemOutcome, GitPlanItem } from '../../../contract/git.ts'
import { gitItemText, gitOutcomeText, gitPartText } from '../../../contract/words/git.ts'

interface GitChoiceProps {
  readonly items: readonly GitPlanItem[]
  /** The chosen items; their plan may still be loading. */
  readonly chosen: readonly string[]
  /** null if the choice is fixed: an undo or redo repeats that of its restore. */
  readonly onChoose: ((chosen: readonly string[]) => void) | null
}

export function GitChoice({ items, chosen, onChoose }: GitChoiceProps) {
  if (items.length === 0) return null
  const lostFirst = items.toSorted((a, b) => Number(b.lost) - Number(a.lost))
  const toggle = (item: string) =>
    onChoose?.(chosen.includes(item) ? chosen.filter((each) => each !== item) : [...chosen, item])
  return (
    <section className="restore-part git-part" aria-label="Git">
      <b>Git</b>
      <p className="small muted">{gitPartText(items, onChoose === null)}</p>
      <ul>
        {lostFirst.map((item) => (
          <li key={item.item}>
            {onChoose ? (
              <label className="git-item small" htmlFor={`git ${item.item}`}>
                <input
                  type="checkbox"
                  className="check git-tick"
                  id={`git ${item.item}`}
                  checked={chosen.includes(item.item)}
                  onChange={() => toggle(item.item)}
                />
                <span dir="auto">{gitItemText(item)}</span>
              </label>
            ) : (
              <span className="small" dir="auto">
                {gitItemText(item)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What became of the items, above the result for each file. */
export function GitOutcomes({ items }: { readonly items: readonly GitItemOutcome[] }) {
  if (items.length === 0) return null
  return (
    <section className="restore-part git-part" aria-label="Git">
      <ul>
        {items.map((item) => {
          const isWritten = item.result === 'done'
          return (
            <li className={isWritten ? 'small muted' : 'small c-danger'} key={item.item} dir="auto">
              {gitOutcomeText(item)}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
