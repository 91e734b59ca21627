/** How much of a file's content is still there in another one. */
import { lineKey, splitLines } from './lines.ts'

/**
 * Share of the larger content that consists of lines both have, in any order: 0 to 1, by bytes. Linear in the sizes.
 * Content without line feeds is one line, so binary files are similar only when they are equal.
 */
export function contentSimilarity(before: Uint8Array, after: Uint8Array): number {
  const larger = Math.max(before.length, after.length)
  if (larger === 0) return 1
  const left = new Map<string, number>()
  const [old, now] = [splitLines(before), splitLines(after)]
  if (old.unit !== now.unit) return 0
  for (let line = 0; line < old.count; line++) {
    const key = lineKey(old, line)
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  let common = 0
  for (let line = 0; line < now.count; line++) {
    const key = lineKey(now, line)
    const copies = left.get(key) ?? 0
    if (copies === 0) continue
    left.set(key, copies - 1)
    common += now.starts[line + 1]! - now.starts[line]!
  }
  return common / larger
}
