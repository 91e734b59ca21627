/** Why an edit was not made, as sentences an agent can act on. */
import type { DriftlineError } from '../../../contract/errors.ts'
import { refusal } from '../files/named-path.ts'
import type { EditPlan } from './plan-edit.ts'

/** `secret`: neither a line nor how near it was is told. */
export function editRefusal(
  path: string,
  plan: Exclude<EditPlan, { readonly result: 'edit' | 'done' }>,
  secret: boolean
): DriftlineError {
  switch (plan.result) {
    case 'empty':
      return refusal(
        'empty-old',
        `old_string has no words to look for. Quote the lines to replace, or write ${path} as a whole with write_file.`,
        { path }
      )
    case 'several': {
      const places = `${plan.more ? 'at least ' : ''}${plan.count} places`
      const like = plan.rung === 'exact' ? 'stands' : 'fits'
      const lines = `${plan.lines.length < plan.count ? 'among them lines' : 'lines'} ${plan.lines.join(', ')}`
      return refusal(
        'ambiguous',
        `old_string ${like} in ${places} of ${path} (${lines}). Nothing was changed; quote more lines around the one that is meant.`,
        { path, count: plan.count, lines: plan.lines, rung: plan.rung }
      )
    }
    case 'none': {
      const near = secret ? null : plan.nearest
      const hint = near
        ? ` The nearest is line ${near.line} (${Math.floor(near.similarity * 100)} % alike): ${near.text}`
        : ''
      const much = plan.tooMuch && !secret ? ' There was too much to compare for a similar passage.' : ''
      return refusal(
        'not-found',
        `old_string was not found in ${path}. Nothing was changed; read the file and quote it as it is.${much}${hint}`,
        { path, ...(near ? { nearest: near } : {}) }
      )
    }
  }
}
