/**
 * Replaces a file atomically: writes a temporary file next to it, fsyncs, checks that the target is unchanged, renames.
 * A reader sees the old or the new content, never a mix.
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
  unlinkSync,
  writeSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, ifExists } from './fs-errors.ts'
import { createPatience, isInUse, whenFree } from './in-use.ts'
import { refusal } from './named-path.ts'
import { parentOf } from './paths.ts'
import { type Signature, sameSignature } from './signature.ts'
import { createWorkspaceFs } from './workspace-fs.ts'

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
  const absolute = createWorkspaceFs(target.root).absolute(target.path)
  const tempFile = join(dirname(absolute), target.tempName)
  try {
    // 0666 as any program: the umask then gives a new file its usual mode.
    const file = openSync(
      tempFile,
      constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0),
      target.mode === null ? 0o666 : 0o600
    )
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      preserveOwner(target.expected ? absolute : dirname(absolute), (uid, gid) => fchownSync(file, uid, gid))
      if (target.mode !== null) fchmodSync(file, target.mode)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    await changeWhenFree(target.path, () => {
      requireUnchanged(target.root, target.path, target.expected)
      renameSync(tempFile, absolute)
    })
  } catch (error) {
    await removeWhenFree(tempFile)
    throw toRefusal(error, target.path)
  }
  syncFolder(dirname(absolute))
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

/** Throws Refused if the path differs from `expected`, or a parent is no real folder any more. */
export function requireUnchanged(root: string, path: string, expected: Signature | null): void {
  const fs = createWorkspaceFs(root)
  const now = fs.isFolder(parentOf(path)) ? fs.stat(path) : undefined
  if (now !== undefined && (now === null ? expected === null : expected !== null && sameSignature(now, expected)))
    return
  throw refusal('changed', `${path} was just changed by another program. Nothing was written. Try again.`, {
    path
  })
}

/** Creates missing folders one by one, parents first, never through a link. */
export function makeFolders(root: string, paths: readonly string[]): void {
  for (const path of paths) {
    const fs = createWorkspaceFs(root)
    if (fs.stat(path)?.kind === 'dir') continue
    requireUnchanged(root, path, null)
    try {
      mkdirSync(fs.absolute(path))
      preserveOwner(fs.absolute(parentOf(path)), (uid, gid) => lchownSync(fs.absolute(path), uid, gid))
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
export function syncFolder(absolute: string): void {
  try {
    const folder = openSync(absolute, constants.O_RDONLY)
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    // Windows, or a folder without read permission: the rename is done, only its durability is not forced.
    if (errorCode(error) === '') throw error
  }
}

/**
 * When we run as root: a written file keeps the owner of the file it replaces, or gets that of its folder. `model`:
 * absolute path with the owner to keep. Calls `chown` only if needed.
 */
export function preserveOwner(model: string, chown: (uid: number, gid: number) => void): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = lstatSync(model)
  if (uid !== 0 || gid !== 0) chown(uid, gid)
}
