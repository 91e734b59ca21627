/** Spells out characters in names that are invisible or change the reading direction. Pure. */

const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** A name with U+202E (right-to-left override) becomes `a<202E>gpj.exe`, so that no name can pose as another one. */
export function visibleName(name: string): string {
  return name.replace(INVISIBLE, (char) => `<${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`)
}
