/** Counts characters that are not drawn but change how text reads or runs. Pure. */

// Bidirectional controls, zero-width characters, soft hyphen, byte order marks after the start, tag characters.
const HIDDEN =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g

/** How many hidden characters there are; a byte order mark at the very start does not count. */
export function countHidden(text: string): number {
  const found = text.match(HIDDEN)?.length ?? 0
  return text.startsWith('\ufeff') ? found - 1 : found
}
