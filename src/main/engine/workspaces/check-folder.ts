/** Checks whether a folder may be recorded, before anything is written. Refusals are sentences for users. */
import { opendir, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, parse, relative, sep } from 'node:path'
import { DriftlineError, type ErrorCode } from '../../../contract/errors.ts'
import { errorCode, isNotFound } from '../files/fs-errors.ts'

export interface FolderCheckContext {
  readonly home: string
  /** Our own data folder; may not exist yet. */
  readonly dataDir: string
  /** The person confirmed recording a home folder or a whole disk. */
  readonly confirmed?: boolean
}

/**
 * Checks a folder before it is recorded. `folder` is absolute; links are resolved.
 * Throws Usage, FolderMissing, NotAFolder (`data.parent`), FolderUnreadable, Refused or NeedsConfirmation; nothing is
 * written.
 */
export async function checkFolder(folder: string, facts: FolderCheckContext): Promise<string> {
  if (!isAbsolute(folder) || folder.includes('\0'))
    refuse('Usage', 'That is not an absolute path. Nothing was added. Give the full path of the folder.', { folder })
  const root = await existingFolder(folder)
  const dataDir = await realOrNearest(facts.dataDir)
  const home = await realOrNearest(facts.home)
  if (isInside(root, dataDir))
    refuse('Refused', "That folder belongs to Driftline's own data. Nothing was added. Choose a project folder.", {
      folder: root
    })
  if (root === parse(root).root || isInside(home, root)) {
    const isDisk = root === parse(root).root
    const what = isDisk ? 'a whole disk' : root === home ? 'your home folder' : 'above your home folder'
    const message = `${root} is ${what}. Nothing was added yet. Choose a project folder inside it, or confirm to record the whole folder.`
    if (!facts.confirmed) refuse('NeedsConfirmation', message, { folder: root })
  } else if (isInside(dataDir, root)) {
    const message =
      "That folder contains Driftline's own data, which would record itself. Nothing was added. Choose a project folder."
    refuse('Refused', message, { folder: root, dataDir })
  }
  return root
}

function refuse(code: ErrorCode, message: string, data: Record<string, unknown>): never {
  throw new DriftlineError(code, message, data)
}

async function existingFolder(folder: string): Promise<string> {
  try {
    const root = await realpath(folder)
    if (!(await stat(root)).isDirectory())
      refuse('NotAFolder', 'That is a file. Choose the folder that contains it.', {
        folder: root,
        parent: dirname(root)
      })
    // Only opening it shows whether it is readable (modes, ACLs, privacy permissions).
    await (await opendir(root)).close()
    return root
  } catch (error) {
    if (error instanceof DriftlineError) throw error
    if (isNotFound(error))
      refuse('FolderMissing', 'There is no folder at that path. Nothing was added. Check the path.', { folder })
    const code = errorCode(error) || undefined
    const message = `That folder cannot be read (${code ?? 'unknown reason'}). Nothing was added. Check the path and its permissions, then try again.`
    return refuse('FolderUnreadable', message, { folder, code })
  }
}

/** True if `path` is `folder` or below it; both absolute. */
function isInside(path: string, folder: string): boolean {
  const rel = relative(folder, path)
  return rel !== '..' && !rel.startsWith(`..${sep}`) && !isAbsolute(rel)
}

/** The real path. For a folder that does not exist yet: the real path of its nearest existing parent, plus the rest. */
async function realOrNearest(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // Does not exist: resolve the part that does.
    const parent = dirname(path)
    return parent === path ? path : join(await realOrNearest(parent), relative(parent, path))
  }
}
