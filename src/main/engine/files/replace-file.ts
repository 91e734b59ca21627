/**
 * Replaces a file atomically: writes a temporary file next to it, fsyncs, checks that the target is unchanged, renames.
 * A reader sees the old or the new content, never a mix. [CP-4] Each step opens the folder again, as restores do
 * (pinned-folder.ts): a folder that another process swaps for a link leads nowhere else.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync
} from 'node:fs'
import type { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, ifExists, ignoreFsErrors } from './fs-errors.ts'
import { createPatience, isInUse, whenFree } from './in-use.ts'
import { refusal } from './named-path.ts'
import { nameOf, parentOf } from './paths.ts'
import { type OpenFolder, openRealFolder } from './pinned-folder.ts'
import { type Signature, sameSignature } from './signature.ts'

interface Replacement {
  readonly root: string
  /** Root-relative. */
  readonly path: string
  /** The target as the caller read it; null = absent. */
  readonly expected: Signature | null
  /** Permission bits; null = those of a new file (umask). */
  readonly mode: number | null
  /** Name of the temporary file, in the same folder. */
  readonly tempName: string
}

/** Throws Refused, with nothing changed, if the target differs from `expected` or the system refuses the write. */
export async function replaceFile(target: Replacement, bytes: Uint8Array): Promise<void> {
  const { root, path, expected, mode } = target
  using staging = openParent(root, path)
  const tempFile = staging.absolute(target.tempName)
  try {
    // 0666 as any program: the umask then gives a new file its usual mode.
    const file = openSync(
      tempFile,
      constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0),
      mode === null ? 0o666 : 0o600
    )
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      preserveOwner(staging.absolute(expected ? nameOf(path) : ''), (uid, gid) => fchownSync(file, uid, gid))
      if (mode !== null) fchmodSync(file, mode)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    await changeWhenFree(path, () => {
      using folder = openUnchanged(root, path, expected)
      renameSync(tempFile, folder.absolute(nameOf(path)))
      syncFolder(folder)
    })
  } catch (error) {
    await removeWhenFree(tempFile)
    throw toRefusal(error, path)
  }
}

/**
 * [RS-15] Makes one change, again while the file is in use; the checks before it belong to `change`. Throws Refused.
 */
export async function changeWhenFree(path: string, change: () => void): Promise<void> {
  try {
    await whenFree(createPatience(), change)
  } catch (error) {
    throw toRefusal(error, path)
  }
}

/** A temporary file of ours. One that stays in use is removed before the next use of a tool (tools/drafts.ts). */
async function removeWhenFree(file: string): Promise<void> {
  try {
    await whenFree(createPatience(), () => ifExists(() => unlinkSync(file)))
  } catch (error) {
    if (!isInUse(error)) throw error
  }
}

/** Opens the folder of a path. Throws Refused if it, or a folder above it, is no real folder any more. */
export function openParent(root: string, path: string): OpenFolder {
  const folder = openRealFolder(root, parentOf(path))
  if (folder === null) throw changedRefusal(path)
  return folder
}

/** `openParent` of a path that is as `expected`; otherwise throws Refused. */
export function openUnchanged(root: string, path: string, expected: Signature | null): OpenFolder {
  const folder = openParent(root, path)
  try {
    requireUnchanged(folder, path, expected)
    return folder
  } catch (error) {
    folder[Symbol.dispose]()
    throw error
  }
}

/** Throws Refused if the path in its open folder differs from `expected`. */
function requireUnchanged(folder: OpenFolder, path: string, expected: Signature | null): void {
  const now = folder.stat(nameOf(path))
  if (now === null ? expected === null : expected !== null && sameSignature(now, expected)) return
  throw changedRefusal(path)
}

/** Another program was faster. */
export function changedRefusal(path: string): DriftlineError {
  return refusal('changed', `${path} was just changed by another program. Nothing was written. Try again.`, { path })
}

/** Creates missing folders one by one, parents first, never through a link. */
export function makeFolders(root: string, paths: readonly string[]): void {
  for (const path of paths) {
    using folder = openParent(root, path)
    if (folder.stat(nameOf(path))?.kind === 'dir') continue
    requireUnchanged(folder, path, null)
    const absolute = folder.absolute(nameOf(path))
    try {
      mkdirSync(absolute)
      preserveOwner(folder.absolute(''), (uid, gid) => lchownSync(absolute, uid, gid))
      syncFolder(folder)
    } catch (error) {
      throw toRefusal(error, path)
    }
  }
}

/** A system error as a refusal with a sentence; any other error as it is. */
export function toRefusal(error: unknown, path: string): unknown {
  const code = errorCode(error)
  const known = isInUse(error) && code !== 'EBUSY' ? IN_USE_OR_DENIED : REFUSALS[code]
  return known ? refusal(known.reason, `${path}: ${known.sentence} Nothing was changed.`, { path, code }) : error
}

/** Windows does not tell which. */
const IN_USE_OR_DENIED = {
  reason: 'busy',
  sentence: 'It is open in another program, or there is no permission to change it.'
}

const REFUSALS: Readonly<Record<string, { readonly reason: string; readonly sentence: string }>> = {
  EACCES: { reason: 'no-permission', sentence: 'No permission to change it.' },
  EPERM: { reason: 'no-permission', sentence: 'No permission to change it.' },
  EROFS: { reason: 'no-permission', sentence: 'The disk is read-only.' },
  ENOSPC: { reason: 'disk-full', sentence: 'No space left on the disk.' },
  EDQUOT: { reason: 'disk-full', sentence: 'No space left on the disk.' },
  EBUSY: { reason: 'busy', sentence: 'It is open in another program.' },
  ENAMETOOLONG: { reason: 'too-long', sentence: 'The name is too long.' },
  EXDEV: {
    reason: 'other-disk',
    sentence: 'Source and target are on different disks. Copy it, then delete the source.'
  },
  ENOTEMPTY: { reason: 'changed', sentence: 'Another program just added a file to it.' },
  EEXIST: { reason: 'changed', sentence: 'Another program just created it.' },
  ENOENT: { reason: 'changed', sentence: 'It or its folder was just removed.' },
  ENOTDIR: { reason: 'changed', sentence: 'A parent folder was just removed.' },
  EIO: { reason: 'disk-error', sentence: 'The disk reported an error.' }
}

/**
 * A rename is durable only after fsync of its folder (rename(2), fsync(2)). Does nothing where folders cannot be
 * synced.
 */
export function syncFolder(folder: OpenFolder): void {
  try {
    const file = openSync(folder.absolute(''), constants.O_RDONLY)
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    // Windows, or a folder without read permission: the rename is done, only its durability is not forced.
    if (errorCode(error) === '') throw error
  }
}

/**
 * A written file keeps the owner and group of the file it replaces, or as root gets those of its folder. Any other user keeps
 * the group alone, where they are in it. `model`: absolute path of that file or folder.
 */
export function preserveOwner(model: string, chown: (uid: number, gid: number) => void): void {
  const owner = ownerToKeep(lstatSync(model))
  if (owner) giveOwner(owner, chown)
}

export interface Owner {
  /** -1: it stays. */
  readonly uid: number
  readonly gid: number
}

/**
 * The owner that a file or folder with these stats gives to a file that `user` writes, as whom we run; null if that may stay
 * as it is made.
 */
export function ownerToKeep(model: Stats, user = process.geteuid?.()): Owner | null {
  if (user === undefined) return null
  const { uid, gid } = model
  if (user === 0) return uid !== 0 || gid !== 0 ? { uid, gid } : null
  return !model.isDirectory() && isOwnGroup(gid) ? { uid: -1, gid } : null
}

function isOwnGroup(gid: number): boolean {
  return process.getegid?.() === gid || process.getgroups?.().includes(gid) === true
}

/** The group of a file of any user but root is kept where the disk has groups. */
export function giveOwner({ uid, gid }: Owner, chown: (uid: number, gid: number) => void): void {
  if (uid === -1) ignoreFsErrors(() => chown(uid, gid))
  else chown(uid, gid)
}
