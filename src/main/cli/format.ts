/** Numbers, times and lists for people on a terminal. Formatters are created on first use: loading ICU data takes time. */

let numbers: Intl.NumberFormat | undefined
let clock: Intl.DateTimeFormat | undefined
let month: Intl.DateTimeFormat | undefined
let isoDate: Intl.DateTimeFormat | undefined

/** `count(1, 'file')` is "1 file", `count(1204, 'file')` "1,204 files". */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(n)} ${n === 1 ? noun : plural}`
}

export function formatNumber(n: number): string {
  numbers ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, roundingMode: 'trunc' })
  return numbers.format(n)
}

const DAY_MS = 86_400_000

/**
 * A time relative to today, in local time: "today 14:02", "yesterday 09:10", "3 days ago 18:44", then "12 Oct 18:44" in
 * the same year, else "2025-10-12".
 */
export function formatTime(at: number, now: number): string {
  clock ??= new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
  const time = clock.format(at)
  // Rounded, because a day with a change to or from summer time has 23 or 25 hours.
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS)
  if (days === 0) return `today ${time}`
  if (days === 1) return `yesterday ${time}`
  if (days > 1 && days < 7) return `${days} days ago ${time}`
  const date = new Date(at)
  if (date.getFullYear() === new Date(now).getFullYear()) {
    // en-US, because en-GB abbreviates September to four letters.
    month ??= new Intl.DateTimeFormat('en-US', { month: 'short' })
    return `${date.getDate()} ${month.format(at)} ${time}`
  }
  // Sweden writes dates as ISO 8601 does.
  isoDate ??= new Intl.DateTimeFormat('sv-SE')
  return isoDate.format(at)
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** Shortens one line to `width` columns with an ellipsis; at least one character stays. */
export function clip(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`
}

/** "a", "a, b", "a, b and 3 more". `total` counts all names when `names` holds only the first of them. */
export function listSome(names: readonly string[], shown: number, total = names.length): string {
  if (total <= shown) return names.join(', ')
  return `${names.slice(0, shown).join(', ')} and ${formatNumber(total - shown)} more`
}
