/** Paths as people read them. */
import { spellOut } from '../hidden-characters.ts'

/** A path below the home folder with `~`. */
export function shortPath(path: string, home: string): string {
  if (home && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))) {
    return `~${path.slice(home.length)}`
  }
  return path
}

/** Whether the subject of a tool call is one path in a folder: several are separated by commas, and a command has spaces. */
export function isOnePath(subject: string): boolean {
  return /^[^\s,]+\/[^\s,]+$/.test(subject)
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

/** A name with U+202E (right-to-left override) becomes `a<202E>gpj.exe`, so that no name can pose as another one. */
export function visibleName(name: string): string {
  return spellOut(name, (code) => `<${code.toUpperCase()}>`)
}
