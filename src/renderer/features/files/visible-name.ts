/** Names as they are: characters that are not drawn, or that turn the reading direction, are written out. Pure. */

const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** A name with U+202E in it reads `a<202E>gpj.exe`: a name cannot pretend to be another one. */
export function visibleName(name: string): string {
  return name.replace(UNSEEN, (char) => `<${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`)
}
