/** How much history is kept: the settings, for all folders or one of them, and what is allowed in them. */
import { DriftlineError } from '../../../contract/errors.ts'

export interface Bounds {
  /** Bytes of history, the present state not counted. */
  readonly budget: number
  /** Restore points are promised for so many days; 0 = age lets nothing go. */
  readonly days: number
}

export const DEFAULT_BOUNDS: Bounds = { budget: 2_000_000_000, days: 30 }

/** Less would empty what was recorded a moment ago. */
const SMALLEST_BUDGET = 50_000_000
const LARGEST = { budget: 1e15, days: 36_500 }

type Key = `history.${keyof Bounds}`
const KEYS: readonly Key[] = ['history.budget', 'history.days']

/** The bounds of a folder, and which of them are its own. `setting` reads one setting, null when unset. */
export function boundsOf(
  setting: (key: string) => string | null,
  workspace: string
): Bounds & { readonly own: { readonly budget: boolean; readonly days: boolean } } {
  const own = (key: Key): number | null => allowed(key, setting(`${key}/${workspace}`) ?? '')
  const general = (key: Key): number | null => allowed(key, setting(key) ?? '')
  const [budget, days] = [own('history.budget'), own('history.days')]
  return {
    budget: budget ?? general('history.budget') ?? DEFAULT_BOUNDS.budget,
    days: days ?? general('history.days') ?? DEFAULT_BOUNDS.days,
    own: { budget: budget !== null, days: days !== null }
  }
}

/** Throws Usage when `value` is no allowed one for that setting; settings of others are not looked at. "" takes it back. */
export function checkBound(name: string, value: string): void {
  const key = KEYS.find((one) => name === one || name.startsWith(`${one}/`))
  if (!key || value === '' || allowed(key, value) !== null) return
  const rule =
    key === 'history.budget'
      ? `The history budget is a number of bytes, at least ${SMALLEST_BUDGET / 1e6} MB.`
      : 'The days that history is kept are a whole number; 0 means that age lets nothing go.'
  throw new DriftlineError('Usage', `${rule} Nothing was changed.`, { key: name, value })
}

function allowed(key: Key, text: string): number | null {
  if (!/^\d{1,15}$/.test(text)) return null
  const value = Number(text)
  const [least, most] = key === 'history.budget' ? [SMALLEST_BUDGET, LARGEST.budget] : [0, LARGEST.days]
  return value >= least && value <= most ? value : null
}
