/**
 * [CP-4] Resolves a path given by an agent or a person to one inside the workspace. The result has only real folders
 * above it, is not below `.git`, is none of our own names, and cannot leave the root by `..` or a link.
 */
import { realpathSync } from 'node:fs'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isNotFound } from './fs-errors.ts'
import { childOf, isWithin, OWN_PREFIX } from './paths.ts'
import { lstatSignature, type Signature } from './signature.ts'
import { absoluteOf, spelledOnDisk } from './workspace-fs.ts'

export interface NamedPath {
  /** Root-relative, every folder above it real. */
  readonly path: string
  readonly absolute: string
  /** lstat; null if absent. */
  readonly stat: Signature | null
  /** Parent folders that do not exist yet, shallow first. */
  readonly missing: readonly string[]
}

export interface PathBounds {
  readonly root: string
  /** Folders that are recorded on their own, or hold our data; root-relative. */
  readonly boundaries: ReadonlySet<string>
}

/** Bytes (NAME_MAX) and characters (below PATH_MAX). */
const MAX_NAME = 255
const MAX_PATH = 4000
/** Device names of Windows: a project with such a file cannot be checked out there. */
const DEVICES = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/i

/** A refusal with a machine-readable reason. */
export function refusal(
  reason: string,
  sentence: string,
  data: Readonly<Record<string, unknown>> = {}
): DriftlineError {
  return new DriftlineError('Refused', sentence, { reason, ...data })
}

function outside(typed: string, sentence: string, reason = 'outside'): DriftlineError {
  return new DriftlineError('PathOutsideWorkspace', `${sentence} Nothing was changed.`, { reason, path: typed })
}

/** Throws PathOutsideWorkspace or Refused. Only stats paths, opens nothing. */
export function resolveNamedPath(bounds: PathBounds, typed: string): NamedPath {
  const parts = splitPath(bounds.root, typed)
  if (parts.length === 0)
    throw refusal('root', 'That is the recorded folder itself. Name a path in it.', { path: typed })
  const last = parts.at(-1) as string
  const { folder, missing } = resolveFolder(bounds, typed, parts.slice(0, -1))
  const path = spellAsOnDisk(bounds.root, folder, last, missing)
  const boundary = [...bounds.boundaries].find((folder) => isWithin(path, folder))
  if (boundary !== undefined)
    throw outside(typed, `"${boundary}" is recorded separately, or is Driftline's own data.`, 'other-folder')
  const absolute = absoluteOf(bounds.root, path)
  const stat = missing.length > 0 ? null : lstatOrRefuse(absolute, typed)
  if (!stat && DEVICES.test(last))
    throw refusal('reserved', `"${last}" is a device name on Windows. Choose another name.`, { path: typed })
  return { path, absolute, stat, missing }
}

/** The target of a link inside the workspace; any other path as it is. */
export function followLink(bounds: PathBounds, named: NamedPath): NamedPath {
  if (named.stat?.kind !== 'symlink') return named
  return resolveNamedPath(bounds, resolveLink(bounds.root, named.absolute, named.path))
}

/** The names between the root and the path, each one checked. */
function splitPath(root: string, typed: string): string[] {
  if (typed === '') throw refusal('no-path', 'No path was given.', { path: typed })
  if (!typed.isWellFormed() || /[\0-\x1f\x7f]/.test(typed))
    throw refusal('bad-name', 'The path contains characters that file names must not have.', { path: typed })
  const slashed = sep === '/' ? typed : typed.replaceAll(sep, '/')
  const isFull = isAbsolute(typed)
  const inside = isFull ? relativeTo(root, typed) : slashed
  const parts = inside.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..') || (isFull && slashed.split('/').includes('..')) || parts[0] === '~')
    throw outside(typed, 'Paths are relative to the recorded folder; ".." and "~" are not allowed.')
  for (const part of parts) checkName(typed, part)
  if (parts.join('/').length > MAX_PATH)
    throw refusal('too-long', 'The path is too long.', { path: typed.slice(0, 200) })
  return parts
}

/** An absolute path relative to the root, also if it reaches the root through a link. */
function relativeTo(root: string, typed: string): string {
  for (const absolute of [typed, resolveParents(typed)]) {
    const path = relative(root, absolute)
    if (path === '') return ''
    if (!isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`)) return path.replaceAll(sep, '/')
  }
  throw outside(typed, `${typed} is not inside ${root}.`)
}

/** The path with the links in its parents resolved, as far as they exist. */
function resolveParents(path: string): string {
  const names: string[] = []
  for (let at = path; ; at = at.slice(0, -basename(at).length - 1) || sep) {
    names.unshift(basename(at))
    const parent = at.slice(0, -basename(at).length - 1) || sep
    try {
      return [realpathSync.native(parent).replace(/[/\\]$/, ''), ...names].join(sep)
    } catch (error) {
      if (errorCode(error) === '' || parent === sep) return path
    }
  }
}

/** Windows opens a device under this name, or cannot have it. Elsewhere no name is reserved. */
export function isReservedName(part: string): boolean {
  if (sep !== '\\') return false
  return /[<>:"|?*]/.test(part) || /[. ]$/.test(part) || DEVICES.test(part.split('.')[0] ?? '')
}

function checkName(typed: string, part: string): void {
  const plain = part.toLowerCase().replace(/[. ]+$/, '')
  if (plain === '.git' || plain === 'git~1')
    throw refusal('reserved', "These tools do not change git's own files. Use git.", { path: typed })
  if (part.toLowerCase().startsWith(OWN_PREFIX))
    throw refusal('reserved', `Names that begin with ${OWN_PREFIX} are Driftline's own.`, { path: typed })
  if (Buffer.byteLength(part) > MAX_NAME)
    throw refusal('too-long', 'A name in the path is too long.', { path: typed.slice(0, 200) })
  if (isReservedName(part)) throw refusal('reserved', `Windows does not allow the name "${part}".`, { path: typed })
}

/** The parent folder with links resolved, and the folders that would have to be created. */
function resolveFolder(bounds: PathBounds, typed: string, parts: readonly string[]) {
  let folder = ''
  const missing: string[] = []
  for (const part of parts) {
    const next = spellAsOnDisk(bounds.root, folder, part, missing)
    const stat = missing.length > 0 ? null : lstatOrRefuse(absoluteOf(bounds.root, next), typed)
    if (stat?.kind === 'symlink') {
      const real = splitPath(bounds.root, resolveLink(bounds.root, absoluteOf(bounds.root, next), next))
      folder = real.join('/')
      if (lstatOrRefuse(absoluteOf(bounds.root, folder), typed)?.kind !== 'dir') throw notFolder(typed, next)
      continue
    }
    if (stat && stat.kind !== 'dir') throw notFolder(typed, next)
    folder = next
    if (!stat) missing.push(next)
  }
  return { folder, missing }
}

function notFolder(typed: string, path: string): DriftlineError {
  return refusal('parent-is-a-file', `${path} is not a folder, so nothing can be in it.`, { path: typed })
}

/** The target of a link. Refused if it is missing, a loop, or outside the root. */
function resolveLink(root: string, absolute: string, path: string): string {
  let real: string
  try {
    real = realpathSync.native(absolute)
  } catch (error) {
    if (isNotFound(error)) throw refusal('dangling-link', `${path} is a link to a path that does not exist.`, { path })
    if (errorCode(error) === 'ELOOP') throw refusal('dangling-link', `${path} is a link to itself.`, { path })
    throw unreadable(error, path)
  }
  const target = relative(root, real)
  if (target === '' || isAbsolute(target) || target === '..' || target.startsWith(`..${sep}`))
    throw outside(path, `${path} is a link to a path outside the recorded folder.`, 'link-out')
  return real
}

/** Where two spellings are one file, the spelling on disk. */
function spellAsOnDisk(root: string, folder: string, name: string, missing: readonly string[]): string {
  const path = childOf(folder, name)
  return missing.length > 0 ? path : spelledOnDisk(root, path)
}

function lstatOrRefuse(absolute: string, typed: string): Signature | null {
  try {
    return lstatSignature(absolute)
  } catch (error) {
    throw unreadable(error, typed)
  }
}

function unreadable(error: unknown, path: string): unknown {
  const code = errorCode(error)
  return code === '' ? error : refusal('unreadable', `${path} cannot be read (${code}).`, { path })
}
