/** Numbers and times as people read them on a terminal. */

/** `count(1, 'file')` is "1 file", `count(1204, 'file')` "1,204 files". */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(n)} ${n === 1 ? noun : plural}`
}

export function grouped(n: number): string {
  return String(Math.trunc(n)).replace(/\B(?=(\d{3})+$)/g, ',')
}

const DAY = 86_400_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A moment beside today: "today 14:02", "yesterday 09:10", "3 days ago 18:44", then "12 Oct 18:44" or "2025-10-12". Local time. */
export function when(at: number, now: number): string {
  const date = new Date(at)
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`
  const days = Math.round((midnight(now) - midnight(at)) / DAY)
  if (days === 0) return `today ${clock}`
  if (days === 1) return `yesterday ${clock}`
  if (days > 1 && days < 7) return `${days} days ago ${clock}`
  if (date.getFullYear() === new Date(now).getFullYear()) {
    return `${date.getDate()} ${MONTHS[date.getMonth()]} ${clock}`
  }
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function midnight(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}

/** Shortens one line to `width` columns with an ellipsis; at least one character stays. */
export function clip(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`
}

/** "a", "a, b", "a, b and 3 more"; `total` where `names` are only the first of so many. */
export function some(names: readonly string[], shown: number, total = names.length): string {
  if (total <= shown) return names.join(', ')
  return `${names.slice(0, shown).join(', ')} and ${grouped(total - shown)} more`
}
