/** Numbers, dates and times as text. Clock times instead of "5 min ago": they match the record and never change. */

const COUNT = new Intl.NumberFormat('en-US')
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const CLOCK_SECONDS = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DAY_AND_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
/** Swedish dates are written in ISO order. */
const ISO_DAY = new Intl.DateTimeFormat('sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit' })
const RELATIVE_DAY = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** `14:02` */
export function clock(at: number): string {
  return CLOCK.format(at)
}

/** `14:02:08` */
export function clockSeconds(at: number): string {
  return CLOCK_SECONDS.format(at)
}

/** Local day as a sortable key, e.g. `2026-11-20`. */
export function dayKey(at: number): string {
  return ISO_DAY.format(at)
}

/** `Today`, `Yesterday`, `17 Nov`, or `17 Nov 2025` in another year. */
export function dayName(at: number, now: number): string {
  const name = dayInText(at, now)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** A day inside a sentence: `today`, `yesterday`, `12 Nov`. */
export function dayInText(at: number, now: number): string {
  const day = dayKey(at)
  if (day === dayKey(now)) return RELATIVE_DAY.format(0, 'day')
  // Not `now` minus 24 hours: days are 23 and 25 hours long when clocks change.
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === dayKey(yesterday.getTime())) return RELATIVE_DAY.format(-1, 'day')
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? DAY.format(at) : DAY_AND_YEAR.format(at)
}

/** `14:02` today, else `20 Nov, 14:02`. */
export function clockWithDay(at: number, now = Date.now()): string {
  return dayKey(at) === dayKey(now) ? clock(at) : `${DAY.format(at)}, ${clock(at)}`
}

/** `9,870` */
export function count(n: number): string {
  return COUNT.format(n)
}

/** `1 file`, `9,870 files` */
export function plural(n: number, singular: string, many = `${singular}s`): string {
  return `${count(n)} ${n === 1 ? singular : many}`
}

/** `0:42`, `12:05`, `1:02:09` for a duration in ms. */
export function elapsed(ms: number): string {
  const { hours, minutes, seconds } = durationParts(ms)
  const pad = (n: number) => String(n).padStart(2, '0')
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`
}

/** `42 s`, `2 min 14 s`, `1 h 2 min` for a duration in ms, to be read in a sentence. */
export function durationText(ms: number): string {
  const { hours, minutes, seconds } = durationParts(ms)
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`
}

function durationParts(ms: number) {
  const total = Math.max(0, Math.floor(ms / 1000))
  return { hours: Math.floor(total / 3600), minutes: Math.floor((total % 3600) / 60), seconds: total % 60 }
}

/** A path below the home folder with `~`. */
export function shortPath(path: string, home: string): string {
  if (home && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))) {
    return `~${path.slice(home.length)}`
  }
  return path
}

/** Last part of a path. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** A title from the engine with typographic quotation marks. */
export function withCurlyQuotes(title: string): string {
  return title.replace(/"([^"]*)"/g, '“$1”')
}

/** Capitalised and ended by a full stop, unless the text has an end of its own. */
export function asSentence(text: string): string {
  const capitalised = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(capitalised) ? capitalised : `${capitalised}.`
}
