/**
 * Whether bytes may contain a text, ignoring case, in any encoding that contains ASCII; `needle` is in lower case. Bytes
 * above 127 are parts of other letters, so plain ASCII is found without decoding, which takes five times as long. Null
 * for other text.
 */
export function asciiFilter(needle: string): ((bytes: Buffer) => boolean) | null {
  if (!/^[ -~]*$/.test(needle)) return null
  const pattern = new RegExp(needle.replace(/[^\w ]/g, '\\$&'), 'i')
  return (bytes) => pattern.test(bytes.toString('latin1'))
}
