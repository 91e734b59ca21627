/** The line a word was found in, short enough for a list. */

const LONGEST = 200
/** Kept before the word when a line is longer. */
const BEFORE = 60

/** The first line of `text` that holds `needle` (in lower case), clipped around it; null when none does. */
export function snippet(text: string, needle: string): string | null {
  if (!text.toLowerCase().includes(needle)) return null
  const line = text.split('\n').find((one) => one.toLowerCase().includes(needle))
  // Several lines were asked for at once: where they begin.
  return clipAround(line ?? text.slice(text.toLowerCase().indexOf(needle)).split('\n')[0] ?? '', needle)
}

export function clipAround(line: string, needle: string): string {
  const trimmed = line.trim()
  if (trimmed.length <= LONGEST) return trimmed
  const from = Math.max(0, trimmed.toLowerCase().indexOf(needle) - BEFORE)
  const end = from + LONGEST
  return `${from > 0 ? '…' : ''}${trimmed.slice(from, end)}${end < trimmed.length ? '…' : ''}`
}
