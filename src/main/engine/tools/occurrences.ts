/** Exact search in linear time for any input (Knuth, Morris and Pratt, 1977): a hostile file cannot make it quadratic. */

/** Offsets at which `needle` begins, at most `most`. Matches do not overlap. */
export function occurrences(units: Uint16Array, needle: Uint16Array, most: number): number[] {
  const found: number[] = []
  if (needle.length === 0 || needle.length > units.length) return found
  const failure = failureFunction(needle)
  let matched = 0
  for (let at = 0; at < units.length; at++) {
    while (matched > 0 && units[at] !== needle[matched]) matched = failure[matched - 1]!
    if (units[at] === needle[matched]) matched++
    if (matched < needle.length) continue
    found.push(at - needle.length + 1)
    if (found.length === most) break
    matched = 0
  }
  return found
}

/** The failure function: for each prefix of `needle`, the length of the longest shorter prefix that it ends with. */
function failureFunction(needle: Uint16Array): Int32Array {
  const failure = new Int32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = failure[length - 1]!
    if (needle[at] === needle[length]) length++
    failure[at] = length
  }
  return failure
}
