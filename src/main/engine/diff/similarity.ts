/** Measures how similar two contents are, for rename detection. */
import { lineKey, splitLines } from './lines.ts'

/**
 * The share of the larger content, in bytes, that consists of lines both have, in any order: 0 to 1. O(size). Content without
 * line feeds is one line, so binary files are similar only if they are equal.
 */
export function contentSimilarity(before: Uint8Array, after: Uint8Array): number {
  const larger = Math.max(before.length, after.length)
  if (larger === 0) return 1
  const unmatched = new Map<string, number>()
  const [old, now] = [splitLines(before), splitLines(after)]
  if (old.unit !== now.unit) return 0
  for (let line = 0; line < old.count; line++) {
    const key = lineKey(old, line)
    unmatched.set(key, (unmatched.get(key) ?? 0) + 1)
  }
  let common = 0
  for (let line = 0; line < now.count; line++) {
    const key = lineKey(now, line)
    const copies = unmatched.get(key) ?? 0
    if (copies === 0) continue
    unmatched.set(key, copies - 1)
    common += now.starts[line + 1]! - now.starts[line]!
  }
  return common / larger
}
