/** Puts a file in place in one step: written beside its target, fsynced, renamed; only if the target still is what was seen. */

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../ports/fs-errors.ts'
import { createWorkspaceFs, parentOf } from './workspace-fs.ts'
import { preserveOwner } from './preserve-owner.ts'
import { refusal } from './named-path.ts'
import { type Signature, sameSignature } from './signature.ts'

export interface Replacement {
  readonly root: string
  /** Root-relative. */
  readonly path: string
  /** What is there now; null = nothing. */
  readonly expected: Signature | null
  /** Permission bits; null = what a new file gets. */
  readonly mode: number | null
  /** Name of the file it is written to first. */
  readonly tempName: string
}

/** Throws Refused with nothing changed when the path is another one by now, or the system refuses. */
export function replaceFile(target: Replacement, bytes: Uint8Array): void {
  const absolute = createWorkspaceFs(target.root).absolute(target.path)
  const draft = join(dirname(absolute), target.tempName)
  try {
    // Made as any program would make it, so that a new file has the mode the person's settings say.
    const file = openSync(
      draft,
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
    requireUnchanged(target.root, target.path, target.expected)
    renameSync(draft, absolute)
  } catch (error) {
    rmSync(draft, { force: true })
    throw toRefusal(error, target.path)
  }
  syncFolder(dirname(absolute))
}

/** Throws Refused when the path is another one than was seen, or a folder above it is none any more. */
export function requireUnchanged(root: string, path: string, expected: Signature | null): void {
  const fs = createWorkspaceFs(root)
  const now = fs.isFolder(parentOf(path)) ? fs.stat(path) : undefined
  if (now !== undefined && (now === null ? expected === null : expected !== null && sameSignature(now, expected)))
    return
  throw refusal('changed', `${path} was changed by somebody else at this moment. Nothing was written; try again.`, {
    path
  })
}

/** Makes a folder and the missing ones above it, one by one, never through a link. */
export function makeFolders(root: string, paths: readonly string[]): void {
  for (const path of paths) {
    const fs = createWorkspaceFs(root)
    if (fs.stat(path)?.kind === 'dir') continue
    requireUnchanged(root, path, null)
    try {
      mkdirSync(fs.absolute(path))
      preserveOwner(fs.absolute(parentOf(path)), (uid, gid) => chownFolder(fs.absolute(path), uid, gid))
    } catch (error) {
      throw toRefusal(error, path)
    }
  }
}

function chownFolder(absolute: string, uid: number, gid: number): void {
  const folder = openSync(absolute, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    fchownSync(folder, uid, gid)
  } finally {
    closeSync(folder)
  }
}

/** What the system refused, as a sentence; anything else as it is. */
export function toRefusal(error: unknown, path: string): unknown {
  const code = errorCode(error)
  const words = WORDS[code]
  return words ? refusal(words[0], `${path}: ${words[1]} Nothing was changed.`, { path, code }) : error
}

const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: ['no-permission', 'There is no permission to change it.'],
  EPERM: ['no-permission', 'There is no permission to change it.'],
  EROFS: ['no-permission', 'The disk is read-only.'],
  ENOSPC: ['disk-full', 'There is no space left.'],
  EDQUOT: ['disk-full', 'There is no space left.'],
  EBUSY: ['busy', 'It is open in another program.'],
  ENAMETOOLONG: ['too-long', 'The name is too long.'],
  EXDEV: ['other-disk', 'The two places are on different disks. Copy it and delete the source.'],
  ENOTEMPTY: ['changed', 'Somebody else put something into it at this moment.'],
  EEXIST: ['changed', 'Somebody else made it at this moment.'],
  ENOENT: ['changed', 'It, or its folder, went away at this moment.'],
  ENOTDIR: ['changed', 'A folder above it went away at this moment.'],
  EIO: ['disk-error', 'The disk reported an error.']
}

/** A rename is durable once its folder is; systems that cannot sync a folder need not. */
export function syncFolder(absolute: string): void {
  try {
    const folder = openSync(absolute, constants.O_RDONLY)
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    // Windows, or a folder that may not be read: the rename stands all the same.
    if (errorCode(error) === '') throw error
  }
}
