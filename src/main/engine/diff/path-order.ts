/** The order of paths in diffs: by their UTF-8 bytes, as git sorts. */

/** Negative, zero or positive, like `Buffer.compare` of both paths in UTF-8, but without allocating buffers. */
export function comparePaths(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    // Surrogates (U+10000 and up) sort below U+E000..U+FFFF in UTF-16, but above them in UTF-8.
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
