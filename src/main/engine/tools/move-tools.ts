/**
 * copy_file, move_file and delete_file. A symbolic link is moved and deleted as a link; copying it copies its target.
 */
import { lstatSync, renameSync, unlinkSync } from 'node:fs'
import { ifExists } from '../files/fs-errors.ts'
import { followLink, type NamedPath, refusal, resolveNamedPath } from '../files/named-path.ts'
import { nameOf } from '../files/paths.ts'
import { changeWhenFree, makeFolders, openUnchanged, replaceFile, syncFolder } from '../files/replace-file.ts'
import { looksSecret } from '../files/secret-path.ts'
import { MAX_FILE_BYTES, readFileBytes, requireFile } from './file-bytes.ts'
import { type PreparedUse, refusePath, type ToolContext, type UseOf, unchanged } from './prepared-use.ts'

type CopyOrMove = UseOf<'copy_file' | 'move_file'>

export function prepareCopy(context: ToolContext, use: CopyOrMove): PreparedUse {
  const named = resolveNamedPath(context, use.source)
  const source = followLink(context, named)
  requireFile(source, 'to copy')
  const { to, overwritten } = resolveDestination(context, source, use)
  const { bytes, signature } = readFileBytes(context.root, source, 'to copy')
  return {
    changes: [...to.missing, to.path],
    destroys: overwritten ? [to.path] : [],
    apply: async (tempName) => {
      makeFolders(context.root, to.missing)
      const target = { root: context.root, path: to.path, expected: to.stat, mode: signature.mode, tempName }
      await replaceFile(target, bytes)
    },
    answer: {
      paths: [named.path, to.path],
      bytes: bytes.length,
      overwritten,
      outcome: { code: 'copied' }
    }
  }
}

export function prepareMove(context: ToolContext, use: CopyOrMove): PreparedUse {
  const source = resolveNamedPath(context, use.source)
  if (source.stat?.kind !== 'symlink') requireFile(source, 'to move')
  if ((source.stat?.size ?? 0) > MAX_FILE_BYTES)
    throw refusePath(
      source.path,
      'too-large',
      'is larger than 50 MB and therefore not stored. Use another tool for it.'
    )
  const { to, overwritten } = resolveDestination(context, source, use)
  return {
    changes: [source.path, ...to.missing, to.path],
    destroys: [source.path, ...(overwritten ? [to.path] : [])],
    apply: async () => {
      makeFolders(context.root, to.missing)
      await changeWhenFree(source.path, () => {
        using from = openUnchanged(context.root, source.path, source.stat)
        using folder = openUnchanged(context.root, to.path, to.stat)
        renameSync(from.absolute(nameOf(source.path)), folder.absolute(nameOf(to.path)))
        syncFolder(folder)
        syncFolder(from)
      })
    },
    answer: {
      paths: [source.path, to.path],
      bytes: source.stat?.size ?? 0,
      overwritten,
      outcome: { code: 'moved' }
    }
  }
}

export function prepareDelete(context: ToolContext, use: UseOf<'delete_file'>): PreparedUse {
  const named = resolveNamedPath(context, use.path)
  const { path, stat } = named
  if (!stat) return unchanged({ paths: [path], bytes: 0, outcome: { code: 'absent' } })
  if (stat.kind === 'dir') throw refusePath(path, 'is-a-folder', 'is a folder. Use remove_dir.')
  if (stat.kind !== 'symlink') requireFile(named, 'to delete')
  return {
    changes: [path],
    destroys: [path],
    apply: async () => {
      await changeWhenFree(path, () => {
        using folder = openUnchanged(context.root, path, stat)
        unlinkSync(folder.absolute(nameOf(path)))
        syncFolder(folder)
      })
    },
    answer: {
      paths: [path],
      bytes: stat.kind === 'file' ? stat.size : 0,
      outcome: { code: 'deleted' }
    }
  }
}

/**
 * Throws Refused when the destination is the source under any name, a folder, or a file that `overwrite` does not allow
 * to replace.
 */
function resolveDestination(context: ToolContext, source: NamedPath, use: CopyOrMove) {
  const named = resolveNamedPath(context, use.destination)
  const { stat } = named
  // Under an ordinary name its content would be readable and shown in diffs.
  if (looksSecret(source.path) && !looksSecret(named.path))
    throw refusal(
      'secret',
      `${source.path} looks like it holds credentials, and ${named.path} does not. Nothing was changed; only a person may do this.`,
      { path: named.path }
    )
  if (!stat) return { to: named, overwritten: false }
  const real = stat.kind === 'symlink' ? followLink(context, named) : named
  if (isSameFile(source, named) || isSameFile(source, real))
    throw refusal('same-file', `${use.source} and ${use.destination} are the same file. Nothing was changed.`, {
      noop: true,
      paths: [source.path, named.path]
    })
  if (real.stat?.kind === 'dir')
    throw refusePath(named.path, 'destination-is-a-folder', 'is a folder. Name the file inside it.')
  if (stat.kind === 'symlink')
    throw refusePath(
      named.path,
      'destination-is-a-link',
      `is a link to ${real.path}. Name that file, or delete the link.`
    )
  requireFile(named, 'to replace')
  if (use.overwrite !== true)
    throw refusePath(named.path, 'exists', 'already exists. Pass overwrite: true to replace it.')
  return { to: named, overwritten: true }
}

/** By path, as a hard link, or by a spelling that the file system treats as the same (case, Unicode form). */
function isSameFile(a: NamedPath, b: NamedPath): boolean {
  if (a.path === b.path) return true
  if (!a.stat || !b.stat || a.stat.ino !== b.stat.ino) return false
  const deviceOf = ({ absolute }: NamedPath) => ifExists(() => lstatSync(absolute))?.dev
  return deviceOf(a) === deviceOf(b)
}
