/** [BI-1] The folder at a position as a copy, where the system has no overlay mounts for this user. */
import { constants, lstatSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { WrittenPosition } from '../../../contract/bisect.ts'
import { errorCode, ifExists, isNotFound } from '../../engine/files/fs-errors.ts'
import { absoluteOf } from '../../engine/files/workspace-fs.ts'

/** Copies `root` to `copy`, sharing blocks where the disk can, and makes it the position. Uses up the position's tree. */
export async function copyAtPosition(position: WrittenPosition, root: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true })
  const own = resolve(position.folder, '..', '..')
  await cp(root, copy, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    // Sockets and pipes cannot be copied, and the data folder may be inside.
    filter: (source) => source !== own && !source.startsWith(own + sep) && isCopyable(source)
  })
  for (const path of position.absent) await rm(absoluteOf(copy, path), { recursive: true, force: true })
  await moveInto(position.tree, copy)
}

function isCopyable(source: string): boolean {
  const stats = ifExists(() => lstatSync(source))
  return stats !== null && (stats.isFile() || stats.isDirectory() || stats.isSymbolicLink())
}

/** Moves everything in `from` into `to`, in place of what has its name there; folders are joined. */
async function moveInto(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    const isJoined = entry.isDirectory() && (await lstat(target).catch(() => null))?.isDirectory() === true
    if (isJoined) {
      await moveInto(source, target)
      await chmod(target, (await lstat(source)).mode & 0o777)
    } else {
      await rm(target, { recursive: true, force: true })
      await move(source, target)
    }
  }
}

/** From memory to a disk it is a copy. */
async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target)
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error
    await cp(source, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  }
}

/** Deletes a position's folders, also folders in them that the command, or the kernel, closed to us. */
export async function removePosition({ folder, tree }: WrittenPosition): Promise<void> {
  const beside = dirname(tree)
  if (beside !== folder) await removeFolder(beside)
  await removeFolder(folder)
}

/** Deletes what a command wrote, and leaves the position. */
export async function removeWritten({ folder }: WrittenPosition): Promise<void> {
  for (const name of ['upper', 'work']) await removeFolder(join(folder, name))
}

async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errorCode(error))) throw error
    await openFolders(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

/** What was being deleted when the deletion failed can end while this runs. */
async function openFolders(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700)
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await openFolders(join(folder, entry.name))
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
