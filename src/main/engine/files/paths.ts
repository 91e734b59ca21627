/** Root-relative paths as strings: '/'-separated, '' is the root. Pure; access to the disk is in workspace-fs.ts. */

/** Prefix of our temporary files inside a workspace; they exist only while a restore or a tool writes. */
export const OWN_PREFIX = '.driftline-'
const OWN_NAME = /^\.driftline-((?:rst|call)_[0-9a-z]{12})(?:-\d+)?\.(?:new|old)$/

/** A temporary file of ours, which is never recorded. Other names with the prefix are ordinary files. */
export function isOwnName(name: string): boolean {
  return name.startsWith(OWN_PREFIX) && OWN_NAME.test(name)
}

/** Which restore (`rst_…`) or tool call (`call_…`) a temporary file of ours is of; null for other names. */
export function ownerOfOwnName(name: string): string | null {
  return OWN_NAME.exec(name)?.[1] ?? null
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function childOf(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`
}

/** `path` is `folder` or is below it. '' is the root. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** All folders above a path without the root, deepest last: `a/b/c` -> [`a`, `a/b`]. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

/** Whether a path is one of these folders or inside one: `isWithin` for many. Costs as much as the path is deep. */
export function isWithinAny(path: string, folders: ReadonlySet<string>): boolean {
  return folders.has('') || folders.has(path) || foldersAbove(path).some((folder) => folders.has(folder))
}

/** Whether a path is inside the root whatever the disk holds: relative, without NUL and without empty, `.` or `..` parts. */
export function isContained(path: string): boolean {
  return !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** Returns `path` if it is a valid root-relative path, else null (absolute, `..`, NUL, a `.git` or empty part). */
export function checkRelative(path: string): string | null {
  return isContained(path) && path.split('/').every((part) => part.toLowerCase() !== '.git') ? path : null
}
