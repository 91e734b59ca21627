/** The limits of history: two settings, for all folders or for one, and the values they accept. */
import { DriftlineError } from '../../../contract/errors.ts'

export interface RetentionLimits {
  /** Bytes of history in one folder; the content of heads is not counted. */
  readonly budget: number
  /** Days for which checkpoints are guaranteed; 0 = content is never evicted because of its age. */
  readonly days: number
}

const SETTINGS = {
  budget: {
    key: 'history.budget',
    unset: 2_000_000_000,
    // A smaller budget would evict what was recorded a moment ago.
    min: 50_000_000,
    max: 1e15,
    rule: 'The history budget is a number of bytes, at least 50 MB.'
  },
  days: {
    key: 'history.days',
    unset: 30,
    min: 0,
    max: 36_500,
    rule: 'The number of days is a whole number; 0 keeps history forever.'
  }
} as const

/**
 * The limits of a workspace; `own` says which of them are its own settings. `setting` reads one setting, null when
 * unset.
 */
export function limitsOf(
  setting: (key: string) => string | null,
  workspace: string
): RetentionLimits & { readonly own: { readonly budget: boolean; readonly days: boolean } } {
  const read = (limit: keyof typeof SETTINGS): { value: number; isOwn: boolean } => {
    const { key, unset } = SETTINGS[limit]
    const own = parseLimit(limit, setting(`${key}/${workspace}`))
    return { value: own ?? parseLimit(limit, setting(key)) ?? unset, isOwn: own !== null }
  }
  const [budget, days] = [read('budget'), read('days')]
  return { budget: budget.value, days: days.value, own: { budget: budget.isOwn, days: days.isOwn } }
}

/**
 * Throws Usage when `value` is invalid for this setting. "" (unset) is valid, and so is any value of other settings.
 */
export function checkLimit(name: string, value: string): void {
  for (const limit of ['budget', 'days'] as const) {
    const { key, rule } = SETTINGS[limit]
    if (name !== key && !name.startsWith(`${key}/`)) continue
    if (value !== '' && parseLimit(limit, value) === null)
      throw new DriftlineError('Usage', `${rule} Nothing was changed.`, { key: name, value })
  }
}

/** null when the text is no number in the range of this setting. */
function parseLimit(limit: keyof typeof SETTINGS, text: string | null): number | null {
  const { min, max } = SETTINGS[limit]
  const value = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : null
}
