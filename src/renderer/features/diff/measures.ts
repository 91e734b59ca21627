/** Sizes, permission bits and hashes as people read them. Pure. */

/** Bytes in decimal units: "84 B", "14.2 kB", "84 MB". */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = n / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const text = value >= 99.5 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '')
  return `${text} ${units[unit]}`
}

/** Permission bits as `ls` writes them, e.g. "rwxr-xr-x". */
export function permissions(mode: number): string {
  return [6, 3, 0]
    .map((shift) => {
      const bits = (mode >> shift) & 7
      return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`
    })
    .join('')
}

/** What a change of permission bits means: "Now executable", else that they changed. */
export function modeWords(before: number, after: number): string {
  const runs = (mode: number) => (mode & 0o111) !== 0
  if (!runs(before) && runs(after)) return 'Now executable'
  if (runs(before) && !runs(after)) return 'No longer executable'
  return 'Permissions changed'
}

/** First and last four digits of a hash; "–" without one. */
export function shortHash(hash: string | null): string {
  return hash ? `${hash.slice(0, 4)}…${hash.slice(-4)}` : '–'
}

/** Number of lines of a text; 0 for the empty one. */
export function lineCount(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return text.endsWith('\n') ? lines - 1 : lines
}
