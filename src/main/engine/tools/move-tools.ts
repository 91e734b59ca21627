/** copy_file, move_file and delete_file. Links are moved and deleted as links; a copy is made of what they point to. */
import { lstatSync, renameSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { looksSecret } from '../diff/secret-path.ts'
import { followLink, type NamedPath, resolveNamedPath, refusal } from '../files/named-path.ts'
import { toRefusal, makeFolders, requireUnchanged, replaceFile, syncFolder } from '../files/replace-file.ts'
import { readFileBytes, MAX_FILE_BYTES, requireFile } from './file-bytes.ts'
import { unchanged, type PreparedUse, type ToolContext } from './prepared-use.ts'

interface CopyOrMove {
  readonly source: string
  readonly destination: string
  readonly overwrite?: boolean
}

export function prepareCopy(ground: ToolContext, use: CopyOrMove): PreparedUse {
  const named = resolveNamedPath(ground, use.source)
  const source = followLink(ground, named)
  requireFile(source, 'to copy')
  const { to, overwritten } = resolveDestination(ground, source, use)
  const { bytes, signature } = readFileBytes(source, 'to copy')
  return {
    changes: [...to.missing, to.path],
    destroys: overwritten ? [to.path] : [],
    apply: (tempName) => {
      makeFolders(ground.root, to.missing)
      replaceFile({ root: ground.root, path: to.path, expected: to.stat, mode: signature.mode, tempName }, bytes)
    },
    answer: {
      paths: [named.path, to.path],
      bytes: bytes.length,
      overwritten,
      said: `Copied ${named.path} to ${to.path}${overwritten ? ', in place of what was there' : ''}.`
    }
  }
}

export function prepareMove(ground: ToolContext, use: CopyOrMove): PreparedUse {
  const source = resolveNamedPath(ground, use.source)
  if (source.stat?.kind !== 'symlink') requireFile(source, 'to move')
  if ((source.stat?.size ?? 0) > MAX_FILE_BYTES) throw tooLarge(source.path)
  const { to, overwritten } = resolveDestination(ground, source, use)
  return {
    changes: [source.path, ...to.missing, to.path],
    destroys: [source.path, ...(overwritten ? [to.path] : [])],
    apply: () => {
      makeFolders(ground.root, to.missing)
      requireUnchanged(ground.root, source.path, source.stat)
      requireUnchanged(ground.root, to.path, to.stat)
      try {
        renameSync(source.absolute, to.absolute)
      } catch (error) {
        throw toRefusal(error, source.path)
      }
      syncFolder(dirname(to.absolute))
      syncFolder(dirname(source.absolute))
    },
    answer: {
      paths: [source.path, to.path],
      bytes: source.stat?.size ?? 0,
      overwritten,
      said: `Moved ${source.path} to ${to.path}${overwritten ? ', in place of what was there' : ''}.`
    }
  }
}

export function prepareDelete(ground: ToolContext, use: { readonly path: string }): PreparedUse {
  const named = resolveNamedPath(ground, use.path)
  const { path, absolute, stat } = named
  if (!stat) return unchanged({ paths: [path], bytes: 0, said: `There is no ${path}.` })
  if (stat.kind === 'dir') throw refusal('is-a-folder', `${path} is a folder. Use remove_dir.`, { path })
  if (stat.kind !== 'symlink') requireFile(named, 'to delete')
  return {
    changes: [path],
    destroys: [path],
    apply: () => {
      requireUnchanged(ground.root, path, stat)
      try {
        unlinkSync(absolute)
      } catch (error) {
        throw toRefusal(error, path)
      }
      syncFolder(dirname(absolute))
    },
    answer: {
      paths: [path],
      bytes: stat.kind === 'file' ? stat.size : 0,
      overwritten: false,
      said: `Deleted ${path}.`
    }
  }
}

/** Where it goes. Throws Refused for itself by any name, for a folder, and for what is there and was not to be replaced. */
function resolveDestination(ground: ToolContext, source: NamedPath, use: CopyOrMove): { to: NamedPath; overwritten: boolean } {
  const named = resolveNamedPath(ground, use.destination)
  const { stat } = named
  // Under another name it would be a file like any other, to be read and shown.
  if (looksSecret(source.path) && !looksSecret(named.path))
    throw refusal(
      'secret',
      `${source.path} looks like it holds credentials, and ${named.path} does not. Nothing was changed; a person may do that.`,
      { path: named.path }
    )
  if (!stat) return { to: named, overwritten: false }
  const real = stat.kind === 'symlink' ? followLink(ground, named) : named
  if (isSameFile(source, named) || isSameFile(source, real))
    throw refusal('same-file', `${use.source} and ${use.destination} are one and the same file. Nothing was changed.`, {
      noop: true,
      paths: [source.path, named.path]
    })
  if (real.stat?.kind === 'dir')
    throw refusal('destination-is-a-folder', `${named.path} is a folder. Name the file inside it.`, {
      path: named.path
    })
  if (stat.kind === 'symlink')
    throw refusal(
      'destination-is-a-link',
      `${named.path} is a link to ${real.path}. Name that file, or delete the link.`,
      {
        path: named.path
      }
    )
  requireFile(named, 'to replace')
  if (use.overwrite !== true)
    throw refusal('exists', `${named.path} is there already. Pass overwrite: true to replace it.`, { path: named.path })
  return { to: named, overwritten: true }
}

/** By name, by another name of the same file (hard links), or by a spelling the system takes for the same. */
function isSameFile(a: NamedPath, b: NamedPath): boolean {
  if (a.path === b.path) return true
  if (!a.stat || !b.stat || a.stat.ino !== b.stat.ino) return false
  return lstatSync(a.absolute).dev === lstatSync(b.absolute).dev
}

function tooLarge(path: string) {
  return refusal('too-large', `${path} is larger than 50 MB and is not kept, so it is left to other tools.`, { path })
}
