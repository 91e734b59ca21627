/** How numbers and times are written. Clock times instead of "5 min ago": they match the record and never tick. */

const pad = (n: number) => String(n).padStart(2, '0')

/** `14:02` */
export function clock(at: number): string {
  const d = new Date(at)
  return `${pad(d.getHours())}:${pad(d.getMinutes())}`
}

/** `14:02:08` */
export function clockSeconds(at: number): string {
  return `${clock(at)}:${pad(new Date(at).getSeconds())}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Local day as a sortable key, e.g. `2026-11-20`. */
export function dayKey(at: number): string {
  const d = new Date(at)
  return `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())}`
}

/** `Today`, `Yesterday`, `Tuesday, 17 November`, with the year when it is another one. */
export function dayName(at: number, now: number): string {
  if (dayKey(at) === dayKey(now)) return 'Today'
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  if (dayKey(at) === dayKey(yesterday.getTime())) return 'Yesterday'
  const d = new Date(at)
  const year = d.getFullYear() === new Date(now).getFullYear() ? '' : ` ${d.getFullYear()}`
  return `${d.getDate()} ${MONTHS[d.getMonth()]}${year}`
}

/** A day inside a sentence: `today`, `yesterday`, `12 Nov`. */
export function dayInText(at: number, now: number): string {
  const name = dayName(at, now)
  return name === 'Today' || name === 'Yesterday' ? name.toLowerCase() : name
}

/** `9,870` */
export function count(n: number): string {
  return n.toLocaleString('en-US')
}

/** `1 file`, `9,870 files` */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

/** `0:42`, `12:05`, `1:02:09` for a duration in ms. */
export function elapsed(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000))
  const h = Math.floor(s / 3600)
  const m = Math.floor((s % 3600) / 60)
  return h > 0 ? `${h}:${pad(m)}:${pad(s % 60)}` : `${m}:${pad(s % 60)}`
}

/** `42 s`, `2 min 14 s`, `1 h 2 min` for a duration in ms, as it is read in a sentence. */
export function elapsedWords(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000))
  if (s < 60) return `${s} s`
  const m = Math.floor(s / 60)
  return m < 60 ? `${m} min ${s % 60} s` : `${Math.floor(m / 60)} h ${m % 60} min`
}

/** A folder below the home folder with `~`. */
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

/** A title of the engine's with its quotation marks as they are set in print. */
export function curly(title: string): string {
  return title.replace(/"([^"]*)"/g, '“$1”')
}
