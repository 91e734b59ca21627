/** Counts invisible characters that change how text reads or runs, as in "Trojan Source" (CVE-2021-42574). Pure. */

// Bidirectional controls, zero-width characters, soft hyphen, byte order marks after the start, tag characters.
const HIDDEN =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g

/** Number of hidden characters; a byte order mark at the start of the text does not count. */
export function countHidden(text: string): number {
  const found = text.match(HIDDEN)?.length ?? 0
  return text.startsWith('\ufeff') ? found - 1 : found
}
