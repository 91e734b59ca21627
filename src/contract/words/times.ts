/**
 * Dates, times and durations in local time. Clock times instead of "5 min ago": they match the record and never change.
 * Formatters are created on first use: ICU data loads slowly.
 */
import { capitalized } from './text.ts'

const lazy = <T>(create: () => T): (() => T) => {
  let value: T | undefined
  return () => {
    value ??= create()
    return value
  }
}

const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions) =>
  lazy(() => new Intl.DateTimeFormat(locale, options))

const CLOCK = dateFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const CLOCK_SECONDS = dateFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
/** en-US, because en-GB abbreviates September to four letters. */
const MONTH = dateFormat('en-US', { month: 'short' })
/** Sweden writes dates as ISO 8601 does. */
const ISO_DAY = dateFormat('sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit' })
const RELATIVE_DAY = lazy(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))

/** `14:02` */
export function clock(at: number): string {
  return CLOCK().format(at)
}

/** `14:02:08` */
export function clockSeconds(at: number): string {
  return CLOCK_SECONDS().format(at)
}

/** Local day as a sortable key, e.g. `2026-11-20`. */
export function dayKey(at: number): string {
  return ISO_DAY().format(at)
}

/** `Today`, `Yesterday`, `17 Nov`, or `17 Nov 2025` in another year. */
export function dayName(at: number, now: number): string {
  return capitalized(dayInText(at, now))
}

/** A day inside a sentence: `today`, `yesterday`, `12 Nov`. */
export function dayInText(at: number, now: number): string {
  const day = dayKey(at)
  if (day === dayKey(now)) return RELATIVE_DAY().format(0, 'day')
  // Not `now` minus 24 hours: days are 23 and 25 hours long when clocks change.
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === dayKey(yesterday.getTime())) return RELATIVE_DAY().format(-1, 'day')
  return sameYear(at, now) ? dayOfMonth(at) : `${dayOfMonth(at)} ${new Date(at).getFullYear()}`
}

/** `12 Nov` */
function dayOfMonth(at: number): string {
  return `${new Date(at).getDate()} ${MONTH().format(at)}`
}

function sameYear(at: number, now: number): boolean {
  return new Date(at).getFullYear() === new Date(now).getFullYear()
}

/** A time inside a sentence: `14:02` today, else `yesterday 14:02`, `12 Nov 14:02`. */
export function clockInText(at: number, now: number): string {
  return dayKey(at) === dayKey(now) ? clock(at) : `${dayInText(at, now)} ${clock(at)}`
}

/** `14:02` today, else `20 Nov, 14:02`. */
export function clockWithDay(at: number, now = Date.now()): string {
  return dayKey(at) === dayKey(now) ? clock(at) : `${dayOfMonth(at)}, ${clock(at)}`
}

const DAY_MS = 86_400_000

/**
 * A time relative to today, for lists on a terminal: "today 14:02", "yesterday 09:10", "3 days ago 18:44", then
 * "12 Oct 18:44" in the same year, else "2025-10-12".
 */
export function formatTime(at: number, now = Date.now()): string {
  // Rounded, because a day with a change to or from summer time has 23 or 25 hours.
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS)
  if (days === 0) return `today ${clock(at)}`
  if (days === 1) return `yesterday ${clock(at)}`
  if (days > 1 && days < 7) return `${days} days ago ${clock(at)}`
  return sameYear(at, now) ? `${dayOfMonth(at)} ${clock(at)}` : dayKey(at)
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
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
