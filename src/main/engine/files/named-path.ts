/** [CP-4] From a path as somebody names it to one inside the folder: real folders only, nothing of git's or ours, no way out. */
import { realpathSync } from 'node:fs'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isNotFound } from '../ports/fs-errors.ts'
import { absoluteOf, childOf, isWithin, OWN_PREFIX, spelledOnDisk } from './workspace-fs.ts'
import { lstatSignature, type Signature } from './signature.ts'

export interface NamedPath {
  /** Root-relative, every folder above it real. */
  readonly path: string
  readonly absolute: string
  /** lstat; null when nothing is there. */
  readonly stat: Signature | null
  /** Folders above it that are not there yet, shallow first. */
  readonly missing: readonly string[]
}

export interface PathBounds {
  readonly root: string
  /** Folders that are recorded on their own, or hold our data. */
  readonly boundaries: ReadonlySet<string>
}

const LONGEST_NAME = 255
const LONGEST_PATH = 4000
/** Names Windows keeps for devices: a project that has one cannot be checked out there. */
const DEVICES = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/i

/** A refusal with a reason programs can read. */
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

/** Throws PathOutsideWorkspace or Refused; nothing is opened, only looked at. */
export function resolveNamedPath(grounds: PathBounds, typed: string): NamedPath {
  const parts = splitPath(grounds.root, typed)
  if (parts.length === 0)
    throw refusal('root', 'That is the recorded folder itself. Name something in it.', { path: typed })
  const last = parts.at(-1) as string
  const { folder, missing } = resolveFolder(grounds, typed, parts.slice(0, -1))
  const path = spellAsOnDisk(grounds.root, folder, last, missing)
  const boundary = [...grounds.boundaries].find((one) => isWithin(path, one))
  if (boundary !== undefined)
    throw outside(typed, `"${boundary}" is recorded on its own, or is Driftline's own data.`, 'other-folder')
  const absolute = absoluteOf(grounds.root, path)
  const stat = missing.length > 0 ? null : lstatOrRefuse(absolute, typed)
  if (!stat && DEVICES.test(last))
    throw refusal('reserved', `"${last}" is a device's name on Windows. Choose another name.`, { path: typed })
  return { path, absolute, stat, missing }
}

/** What a link points to, inside the folder; anything else is given back as it is. */
export function followLink(grounds: PathBounds, named: NamedPath): NamedPath {
  if (named.stat?.kind !== 'symlink') return named
  return resolveNamedPath(grounds, resolveLink(grounds.root, named.absolute, named.path))
}

/** Names between the folder and the path, checked one by one. */
function splitPath(root: string, typed: string): string[] {
  if (typed === '') throw refusal('no-path', 'No path was given.', { path: typed })
  if (!typed.isWellFormed() || /[\0-\x1f\x7f]/.test(typed))
    throw refusal('bad-name', 'The path holds characters no file name should have.', { path: typed })
  const slashed = sep === '/' ? typed : typed.replaceAll(sep, '/')
  const isFull = isAbsolute(typed)
  const inside = isFull ? relativeTo(root, typed) : slashed
  const parts = inside.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..') || (isFull && slashed.split('/').includes('..')) || parts[0] === '~')
    throw outside(typed, 'Paths go down from the recorded folder; ".." and "~" are not taken.')
  for (const part of parts) checkName(typed, part)
  if (parts.join('/').length > LONGEST_PATH)
    throw refusal('too-long', 'The path is too long.', { path: typed.slice(0, 200) })
  return parts
}

/** An absolute path as one below the root, also when it reaches the root through a link. */
function relativeTo(root: string, typed: string): string {
  for (const one of [typed, resolveParents(typed)]) {
    const way = relative(root, one)
    if (way === '') return ''
    if (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)) return way.replaceAll(sep, '/')
  }
  throw outside(typed, `${typed} is not inside ${root}.`)
}

/** The path with the links above its last name resolved, as far as it is there. */
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

function checkName(typed: string, part: string): void {
  const plain = part.toLowerCase().replace(/[. ]+$/, '')
  if (plain === '.git' || plain === 'git~1')
    throw refusal('reserved', "Git's own files are not changed by these tools. Use git.", { path: typed })
  if (part.toLowerCase().startsWith(OWN_PREFIX))
    throw refusal('reserved', `Names that begin with ${OWN_PREFIX} are Driftline's own.`, { path: typed })
  if (Buffer.byteLength(part) > LONGEST_NAME)
    throw refusal('too-long', 'A name in the path is too long.', { path: typed.slice(0, 200) })
  if (sep === '\\' && (/[<>:"|?*]/.test(part) || /[. ]$/.test(part) || DEVICES.test(part.split('.')[0] ?? '')))
    throw refusal('reserved', `Windows does not take the name "${part}".`, { path: typed })
}

/** The folder a path lies in, links resolved, with the folders that would have to be made. */
function resolveFolder(grounds: PathBounds, typed: string, parts: readonly string[]) {
  let folder = ''
  const missing: string[] = []
  for (const part of parts) {
    const next = spellAsOnDisk(grounds.root, folder, part, missing)
    const there = missing.length > 0 ? null : lstatOrRefuse(absoluteOf(grounds.root, next), typed)
    if (there?.kind === 'symlink') {
      const real = splitPath(grounds.root, resolveLink(grounds.root, absoluteOf(grounds.root, next), next))
      folder = real.join('/')
      if (lstatOrRefuse(absoluteOf(grounds.root, folder), typed)?.kind !== 'dir') throw notFolder(typed, next)
      continue
    }
    if (there && there.kind !== 'dir') throw notFolder(typed, next)
    folder = next
    if (!there) missing.push(next)
  }
  return { folder, missing }
}

function notFolder(typed: string, path: string): DriftlineError {
  return refusal('parent-is-a-file', `${path} is not a folder, so nothing can be in it.`, { path: typed })
}

/** Where a link leads; out of the folder, or nowhere, is refused. */
function resolveLink(root: string, absolute: string, path: string): string {
  let real: string
  try {
    real = realpathSync.native(absolute)
  } catch (error) {
    if (isNotFound(error)) throw refusal('dangling-link', `${path} is a link to something that is not there.`, { path })
    if (errorCode(error) === 'ELOOP')
      throw refusal('dangling-link', `${path} is a link that leads to itself.`, { path })
    throw unreadable(error, path)
  }
  const way = relative(root, real)
  if (way === '' || isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`))
    throw outside(path, `${path} is a link that leads out of the recorded folder.`, 'link-out')
  return real
}

/** Where two spellings of a name are one file, the one on disk. */
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
  return code === ''
    ? error
    : refusal('unreadable', `The system does not let ${path} be looked at (${code}).`, { path })
}
