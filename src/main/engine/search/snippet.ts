/** The line of a hit, clipped for a list. */

/** Characters. */
const MAX_LENGTH = 200
/** Characters kept before the hit when a line is clipped. */
const CONTEXT_BEFORE = 60

/** The first line of `text` that contains `needle` (in lower case), clipped around it; null when none does. */
export function snippet(text: string, needle: string): string | null {
  if (!text.toLowerCase().includes(needle)) return null
  const line = text.split('\n').find((candidate) => candidate.toLowerCase().includes(needle))
  // The needle spans several lines: the line it begins in.
  return clipAround(line ?? text.slice(text.toLowerCase().indexOf(needle)).split('\n')[0] ?? '', needle)
}

export function clipAround(line: string, needle: string): string {
  const trimmed = line.trim()
  if (trimmed.length <= MAX_LENGTH) return trimmed
  const from = Math.max(0, trimmed.toLowerCase().indexOf(needle) - CONTEXT_BEFORE)
  const end = from + MAX_LENGTH
  return `${from > 0 ? '…' : ''}${trimmed.slice(from, end)}${end < trimmed.length ? '…' : ''}`
}
