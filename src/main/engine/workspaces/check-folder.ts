/** Checks whether a folder may be recorded, before anything is written. Refusals are sentences for users. */
import { opendir, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, parse, relative, sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'

export interface FolderCheckContext {
  readonly home: string
  /** Our own data folder; may not exist yet. */
  readonly dataDir: string
  readonly registered: readonly { readonly id: string; readonly root: string }[]
  /** The person confirmed recording a home folder or a whole disk. */
  readonly confirmed?: boolean
}

/** A folder that may be recorded. Recorded folders inside it are boundaries: their files belong to them. */
export interface CheckedFolder {
  /** Real absolute path. */
  readonly root: string
  /** The workspace that already records exactly this folder. */
  readonly existing?: string
  /** The nearest recorded folder around it. */
  readonly insideOf?: { readonly id: string; readonly root: string }
  /** Recorded folders inside it. */
  readonly contains: readonly { readonly id: string; readonly root: string }[]
}

/**
 * Checks a folder before it is recorded. `folder` is absolute; links are resolved.
 * Throws Usage, FolderMissing, NotAFolder (`data.parent`), FolderUnreadable, Refused or NeedsConfirmation; nothing is written.
 */
export async function checkFolder(folder: string, facts: FolderCheckContext): Promise<CheckedFolder> {
  if (!isAbsolute(folder) || folder.includes('\0')) {
    throw new DriftlineError(
      'Usage',
      'That is not an absolute path. Nothing was added. Give the full path of the folder.',
      {
        folder
      }
    )
  }
  const root = await existingFolder(folder)
  const dataDir = await realOrNearest(facts.dataDir)
  const home = await realOrNearest(facts.home)
  if (isInside(root, dataDir)) {
    throw new DriftlineError(
      'Refused',
      "That folder belongs to Driftline's own data. Nothing was added. Choose a project folder.",
      { folder: root }
    )
  }
  if (root === parse(root).root || isInside(home, root)) {
    if (!facts.confirmed) {
      throw new DriftlineError(
        'NeedsConfirmation',
        `${root} is a whole ${root === home ? 'home folder' : 'disk or the folder of all users'}, not one project. Nothing was added yet. Add a project folder inside it, or confirm that all of it is to be recorded.`,
        { folder: root }
      )
    }
  } else if (isInside(dataDir, root)) {
    throw new DriftlineError(
      'Refused',
      "That folder contains Driftline's own data, which would record itself. Nothing was added. Choose a project folder.",
      { folder: root, dataDir }
    )
  }
  return { root, ...boundaries(root, facts.registered) }
}

async function existingFolder(folder: string): Promise<string> {
  try {
    const root = await realpath(folder)
    const stats = await stat(root)
    if (!stats.isDirectory()) {
      throw new DriftlineError('NotAFolder', 'That is a file. Choose the folder that contains it.', {
        folder: root,
        parent: dirname(root)
      })
    }
    // Only opening it shows whether it is readable (modes, ACLs, privacy permissions).
    await (await opendir(root)).close()
    return root
  } catch (error) {
    if (error instanceof DriftlineError) throw error
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new DriftlineError('FolderMissing', 'There is no folder at that path. Nothing was added. Check the path.', {
        folder
      })
    }
    throw new DriftlineError(
      'FolderUnreadable',
      `That folder cannot be read (${code ?? 'unknown reason'}). Nothing was added. Allow reading it and try again.`,
      { folder, code }
    )
  }
}

function boundaries(root: string, registered: FolderCheckContext['registered']): Omit<CheckedFolder, 'root'> {
  const existing = registered.find((workspace) => workspace.root === root)
  const around = registered.filter((workspace) => workspace.root !== root && isInside(root, workspace.root))
  const nearest = around.sort((a, b) => b.root.length - a.root.length)[0]
  return {
    ...(existing && { existing: existing.id }),
    ...(nearest && { insideOf: { id: nearest.id, root: nearest.root } }),
    contains: registered
      .filter((workspace) => workspace.root !== root && isInside(workspace.root, root))
      .map(({ id, root }) => ({ id, root }))
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
