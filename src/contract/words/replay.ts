/** The words of a replay. Pure. */
import { formatNumber } from './numbers.ts'
import { clock } from './times.ts'

/** "edit 120 of 500, src/cart.ts, 10:02"; step 0 is the start. Without `edit` it is not loaded yet. */
export function stepText(
  step: number,
  steps: number,
  edit: { readonly path: string; readonly at: number } | undefined
): string {
  if (step === 0) return `start, before ${steps === 1 ? 'the only edit' : `${formatNumber(steps)} edits`}`
  const place = `edit ${formatNumber(step)} of ${formatNumber(steps)}`
  return edit ? `${place}, ${edit.path}, ${clock(edit.at)}` : `${place}, loading`
}
