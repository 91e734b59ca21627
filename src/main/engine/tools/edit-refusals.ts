/** Why an edit was refused, as sentences that an agent can act on. */
import type { DriftlineError } from '../../../contract/errors.ts'
import { refusal } from '../files/named-path.ts'
import type { EditPlan } from './plan-edit.ts'

/** `secret`: the error reveals neither a line of the file nor how similar one is. */
export function editRefusal(
  path: string,
  plan: Exclude<EditPlan, { readonly result: 'edit' | 'done' }>,
  secret: boolean
): DriftlineError {
  switch (plan.result) {
    case 'empty':
      return refusal(
        'empty-old',
        `old_string has no text to find. Quote the lines to replace, or write all of ${path} with write_file.`,
        { path }
      )
    case 'several': {
      const places = `${plan.more ? 'at least ' : ''}${plan.count} places`
      const verb = plan.rung === 'exact' ? 'occurs' : 'fits'
      const lines = `${plan.lines.length < plan.count ? 'among them lines' : 'lines'} ${plan.lines.join(', ')}`
      return refusal(
        'ambiguous',
        `old_string ${verb} in ${places} of ${path} (${lines}). Nothing was changed; quote more of the surrounding lines.`,
        { path, count: plan.count, lines: plan.lines, rung: plan.rung }
      )
    }
    case 'none': {
      const nearest = secret ? null : plan.nearest
      const hint = nearest
        ? ` The nearest is line ${nearest.line} (${Math.floor(nearest.similarity * 100)} % alike): ${nearest.text}`
        : ''
      const tooMuch = plan.tooMuch && !secret ? ' The texts are too large to search for a similar passage.' : ''
      return refusal(
        'not-found',
        `old_string was not found in ${path}. Nothing was changed; read the file and quote it exactly.${tooMuch}${hint}`,
        { path, ...(nearest ? { nearest } : {}) }
      )
    }
  }
}
