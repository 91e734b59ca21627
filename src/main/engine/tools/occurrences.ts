/** Where one sequence of units stands in another: linear, whatever the two hold. */

/** Places where `needle` begins, none overlapping the one before; at most `most` of them. */
export function occurrences(units: Uint16Array, needle: Uint16Array, most: number): number[] {
  const found: number[] = []
  if (needle.length === 0 || needle.length > units.length) return found
  const back = fallbacks(needle)
  let matched = 0
  for (let at = 0; at < units.length; at++) {
    while (matched > 0 && units[at] !== needle[matched]) matched = back[matched - 1]!
    if (units[at] === needle[matched]) matched++
    if (matched < needle.length) continue
    found.push(at - needle.length + 1)
    if (found.length === most) break
    matched = 0
  }
  return found
}

/** For each prefix, the length of the longest shorter prefix it ends with. */
function fallbacks(needle: Uint16Array): Int32Array {
  const back = new Int32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = back[length - 1]!
    if (needle[at] === needle[length]) length++
    back[at] = length
  }
  return back
}
