/** Facts about a file in words: permission bits, hash, number of lines. Pure. */
import { HIDDEN } from '../../../contract/hidden-characters.ts'
import type { FileVersion } from '../../../contract/log.ts'

/** Permission bits as `ls` writes them, e.g. "rwxr-xr-x". */
export function permissions(mode: number): string {
  return [6, 3, 0]
    .map((shift) => {
      const bits = (mode >> shift) & 7
      return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`
    })
    .join('')
}

/** A change of permission bits: "Now executable", "No longer executable", else "Permissions changed". */
export function modeChange(before: number, after: number): string {
  const executable = (mode: number) => (mode & 0o111) !== 0
  if (!executable(before) && executable(after)) return 'Now executable'
  if (executable(before) && !executable(after)) return 'No longer executable'
  return 'Permissions changed'
}

/** Why a side of a diff has no content. */
export function absenceReason({ kind }: FileVersion): string {
  return kind === 'unknown' ? 'was not covered' : 'did not exist'
}

/** First and last four digits of a hash; "–" without one. */
export function shortHash(hash: string | null): string {
  return hash ? `${hash.slice(0, 4)}…${hash.slice(-4)}` : '–'
}

/** Number of lines of a text; a line feed at the end starts no further line. */
export function lineCount(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return text.endsWith('\n') ? lines - 1 : lines
}

/** Number of hidden characters; a byte order mark at the start of the text does not count. */
export function countHidden(text: string): number {
  const found = text.match(HIDDEN)?.length ?? 0
  return text.startsWith('\ufeff') ? found - 1 : found
}

/** The same for both sides of a diff, where a line that both have is shown once. */
export function countHiddenShown(before: string, after: string): number {
  const shown = new Set(after.split('\n'))
  const deleted = before.split('\n').filter((line) => !shown.has(line))
  return countHidden(deleted.join('\n')) + countHidden(after)
}
