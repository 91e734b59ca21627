/** Paths as people read them. */

/** A path below the home folder with `~`. */
export function shortPath(path: string, home: string): string {
  if (home && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))) {
    return `~${path.slice(home.length)}`
  }
  return path
}

/** Last part of a path. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** Folder (with its slash, "" at the root) and name of a path, with invisible characters spelled out. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const cut = path.lastIndexOf('/') + 1
  return { folder: visibleName(path.slice(0, cut)), name: visibleName(path.slice(cut)) }
}

const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** A name with U+202E (right-to-left override) becomes `a<202E>gpj.exe`, so that no name can pose as another one. */
export function visibleName(name: string): string {
  return name.replace(INVISIBLE, (char) => `<${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`)
}
