/** The limits of history: two settings, for all folders or for one, and the values they accept. */
import { DriftlineError } from '../../../contract/errors.ts'

export interface RetentionLimits {
  /** Bytes of history in one folder; the content of heads is not counted. */
  readonly budget: number
  /** Days for which checkpoints are guaranteed; 0 = content is never evicted because of its age. */
  readonly days: number
}

export const DEFAULT_LIMITS: RetentionLimits = { budget: 2_000_000_000, days: 30 }

/** A smaller budget would evict what was recorded a moment ago. */
const MIN_BUDGET = 50_000_000
const MAX = { budget: 1e15, days: 36_500 }

type Key = `history.${keyof RetentionLimits}`
const KEYS: readonly Key[] = ['history.budget', 'history.days']

/** The limits of a workspace; `own` says which of them are its own settings. `setting` reads one setting, null when unset. */
export function limitsOf(
  setting: (key: string) => string | null,
  workspace: string
): RetentionLimits & { readonly own: { readonly budget: boolean; readonly days: boolean } } {
  const ofWorkspace = (key: Key): number | null => parseLimit(key, setting(`${key}/${workspace}`) ?? '')
  const general = (key: Key): number | null => parseLimit(key, setting(key) ?? '')
  const [budget, days] = [ofWorkspace('history.budget'), ofWorkspace('history.days')]
  return {
    budget: budget ?? general('history.budget') ?? DEFAULT_LIMITS.budget,
    days: days ?? general('history.days') ?? DEFAULT_LIMITS.days,
    own: { budget: budget !== null, days: days !== null }
  }
}

/** Throws Usage when `value` is invalid for this setting. "" (unset) is valid, and so is any value of other settings. */
export function checkLimit(name: string, value: string): void {
  const key = KEYS.find((candidate) => name === candidate || name.startsWith(`${candidate}/`))
  if (!key || value === '' || parseLimit(key, value) !== null) return
  const rule =
    key === 'history.budget'
      ? `The history budget is a number of bytes, at least ${MIN_BUDGET / 1e6} MB.`
      : 'The number of days is a whole number; 0 keeps history forever.'
  throw new DriftlineError('Usage', `${rule} Nothing was changed.`, { key: name, value })
}

/** null when the text is no number in the range of this setting. */
function parseLimit(key: Key, text: string): number | null {
  if (!/^\d{1,15}$/.test(text)) return null
  const value = Number(text)
  const [min, max] = key === 'history.budget' ? [MIN_BUDGET, MAX.budget] : [0, MAX.days]
  return value >= min && value <= max ? value : null
}
