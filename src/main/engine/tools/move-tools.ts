/** copy_file, move_file and delete_file. Links are moved and deleted as links; a copy is made of what they point to. */
import { lstatSync, renameSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { looksSecret } from '../diff/secret-path.ts'
import { linkTarget, type NamedPath, namedPath, refusal } from '../files/named-path.ts'
import { fromSystem, makeFolders, mustBe, replaceFile, syncFolder } from '../files/replace-file.ts'
import { fileBytes, LARGEST, mustBeFile } from './file-bytes.ts'
import { alreadySo, type Prepared, type ToolGround } from './prepared.ts'

interface Move {
  readonly source: string
  readonly destination: string
  readonly overwrite?: boolean
}

export function prepareCopy(ground: ToolGround, use: Move): Prepared {
  const named = namedPath(ground, use.source)
  const source = linkTarget(ground, named)
  mustBeFile(source, 'to copy')
  const { to, overwritten } = destination(ground, source, use)
  const { bytes, signature } = fileBytes(source, 'to copy')
  return {
    changes: [...to.missing, to.path],
    loses: overwritten ? [to.path] : [],
    act: (draft) => {
      makeFolders(ground.root, to.missing)
      replaceFile({ root: ground.root, path: to.path, expected: to.there, mode: signature.mode, draft }, bytes)
    },
    answer: {
      paths: [named.path, to.path],
      bytes: bytes.length,
      overwritten,
      said: `Copied ${named.path} to ${to.path}${overwritten ? ', in place of what was there' : ''}.`
    }
  }
}

export function prepareMove(ground: ToolGround, use: Move): Prepared {
  const source = namedPath(ground, use.source)
  if (source.there?.kind !== 'symlink') mustBeFile(source, 'to move')
  if ((source.there?.size ?? 0) > LARGEST) throw tooLarge(source.path)
  const { to, overwritten } = destination(ground, source, use)
  return {
    changes: [source.path, ...to.missing, to.path],
    loses: [source.path, ...(overwritten ? [to.path] : [])],
    act: () => {
      makeFolders(ground.root, to.missing)
      mustBe(ground.root, source.path, source.there)
      mustBe(ground.root, to.path, to.there)
      try {
        renameSync(source.absolute, to.absolute)
      } catch (error) {
        throw fromSystem(error, source.path)
      }
      syncFolder(dirname(to.absolute))
      syncFolder(dirname(source.absolute))
    },
    answer: {
      paths: [source.path, to.path],
      bytes: source.there?.size ?? 0,
      overwritten,
      said: `Moved ${source.path} to ${to.path}${overwritten ? ', in place of what was there' : ''}.`
    }
  }
}

export function prepareDelete(ground: ToolGround, use: { readonly path: string }): Prepared {
  const named = namedPath(ground, use.path)
  const { path, absolute, there } = named
  if (!there) return alreadySo({ paths: [path], bytes: 0, said: `There is no ${path}.` })
  if (there.kind === 'dir') throw refusal('is-a-folder', `${path} is a folder. Use remove_dir.`, { path })
  if (there.kind !== 'symlink') mustBeFile(named, 'to delete')
  return {
    changes: [path],
    loses: [path],
    act: () => {
      mustBe(ground.root, path, there)
      try {
        unlinkSync(absolute)
      } catch (error) {
        throw fromSystem(error, path)
      }
      syncFolder(dirname(absolute))
    },
    answer: {
      paths: [path],
      bytes: there.kind === 'file' ? there.size : 0,
      overwritten: false,
      said: `Deleted ${path}.`
    }
  }
}

/** Where it goes. Throws Refused for itself by any name, for a folder, and for what is there and was not to be replaced. */
function destination(ground: ToolGround, source: NamedPath, use: Move): { to: NamedPath; overwritten: boolean } {
  const named = namedPath(ground, use.destination)
  const { there } = named
  // Under another name it would be a file like any other, to be read and shown.
  if (looksSecret(source.path) && !looksSecret(named.path))
    throw refusal(
      'secret',
      `${source.path} looks like it holds credentials, and ${named.path} does not. Nothing was changed; a person may do that.`,
      { path: named.path }
    )
  if (!there) return { to: named, overwritten: false }
  const real = there.kind === 'symlink' ? linkTarget(ground, named) : named
  if (isOneFile(source, named) || isOneFile(source, real))
    throw refusal('same-file', `${use.source} and ${use.destination} are one and the same file. Nothing was changed.`, {
      noop: true,
      paths: [source.path, named.path]
    })
  if (real.there?.kind === 'dir')
    throw refusal('destination-is-a-folder', `${named.path} is a folder. Name the file inside it.`, {
      path: named.path
    })
  if (there.kind === 'symlink')
    throw refusal(
      'destination-is-a-link',
      `${named.path} is a link to ${real.path}. Name that file, or delete the link.`,
      {
        path: named.path
      }
    )
  mustBeFile(named, 'to replace')
  if (use.overwrite !== true)
    throw refusal('exists', `${named.path} is there already. Pass overwrite: true to replace it.`, { path: named.path })
  return { to: named, overwritten: true }
}

/** By name, by another name of the same file (hard links), or by a spelling the system takes for the same. */
function isOneFile(a: NamedPath, b: NamedPath): boolean {
  if (a.path === b.path) return true
  if (!a.there || !b.there || a.there.ino !== b.there.ino) return false
  return lstatSync(a.absolute).dev === lstatSync(b.absolute).dev
}

function tooLarge(path: string) {
  return refusal('too-large', `${path} is larger than 50 MB and is not kept, so it is left to other tools.`, { path })
}
