/** The limits of history: two settings, for all folders or for one. */
import { accepts, SETTINGS } from '../../../contract/settings.ts'

export interface RetentionLimits {
  /** Bytes of history in one folder; the content of heads is not counted. */
  readonly budget: number
  /** Days for which checkpoints are guaranteed; 0 = content is never evicted because of its age. */
  readonly days: number
}

/**
 * The limits of a workspace; `own` says which of them are its own settings. `setting` reads one setting, null when
 * unset.
 */
export function limitsOf(
  setting: (key: string) => string | null,
  workspace: string
): RetentionLimits & { readonly own: { readonly budget: boolean; readonly days: boolean } } {
  const read = (key: 'history.budget' | 'history.days'): { value: number; isOwn: boolean } => {
    const valid = (text: string | null): string | null => (text !== null && accepts(key, text) ? text : null)
    const own = valid(setting(`${key}/${workspace}`)) || null
    return { value: Number(own ?? (valid(setting(key)) || SETTINGS[key].initial)), isOwn: own !== null }
  }
  const [budget, days] = [read('history.budget'), read('history.days')]
  return { budget: budget.value, days: days.value, own: { budget: budget.isOwn, days: days.isOwn } }
}
