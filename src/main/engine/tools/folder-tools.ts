/** create_dir and remove_dir. */
import { readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { isLosslessName } from '../files/lossless-name.ts'
import { absoluteOf, childOf } from '../files/workspace-fs.ts'
import { followLink, resolveNamedPath, refusal } from '../files/named-path.ts'
import { toRefusal, makeFolders, requireUnchanged, syncFolder } from '../files/replace-file.ts'
import { lstatSignature, type Signature } from '../files/signature.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { unchanged, type PreparedUse, type ToolContext } from './prepared-use.ts'

/** More is not removed at once: everything is recorded first. */
const MOST_ENTRIES = 5000

export function prepareCreateDir(ground: ToolContext, use: { readonly path: string }): PreparedUse {
  const named = followLink(ground, resolveNamedPath(ground, use.path))
  const { path, stat, missing } = named
  const answer = { paths: [path], bytes: 0 }
  if (stat?.kind === 'dir') return unchanged({ ...answer, said: `The folder ${path} is there already.` })
  if (stat) throw refusal('is-a-file', `${path} is there already and is no folder. Choose another name.`, { path })
  const all = [...missing, path]
  return {
    changes: all,
    destroys: [],
    apply: () => {
      makeFolders(ground.root, all)
      syncFolder(dirname(named.absolute))
    },
    answer: { ...answer, overwritten: false, said: `Made the folder ${path}.` }
  }
}

interface Entry {
  readonly path: string
  readonly there: Signature
}

export function prepareRemoveDir(
  ground: ToolContext,
  use: { readonly path: string; readonly force?: boolean }
): PreparedUse {
  const { path, stat } = resolveNamedPath(ground, use.path)
  if (!stat) return unchanged({ paths: [path], bytes: 0, said: `There is no ${path}.` })
  if (stat.kind !== 'dir') throw refusal('is-a-file', `${path} is no folder. Use delete_file.`, { path })
  const inner = entriesBelow(ground, path, use.force === true)
  const all: Entry[] = [{ path, there }, ...inner]
  const bytes = inner.reduce((sum, entry) => sum + (entry.there.kind === 'file' ? entry.there.size : 0), 0)
  return {
    changes: all.map((entry) => entry.path),
    destroys: all.map((entry) => entry.path),
    apply: () => remove(ground.root, all),
    answer: {
      paths: [path],
      bytes,
      overwritten: false,
      said:
        inner.length === 0
          ? `Removed the folder ${path}.`
          : `Removed the folder ${path} with the ${inner.length} entries in it.`
    }
  }
}

/** Everything below, a folder before what is in it. Throws Refused when something could not be brought back. */
function entriesBelow(ground: ToolContext, folder: string, force: boolean): Entry[] {
  const found: Entry[] = []
  const pending = [folder]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const names = namesIn(ground.root, at)
    if (!force && names.length > 0)
      throw refusal(
        'not-empty',
        `${folder} holds ${names.length === 1 ? 'one entry' : `${names.length} entries`}. Pass force: true to remove it with everything in it.`,
        { path: folder, entries: names.length }
      )
    for (const name of names.sort()) {
      const path = childOf(at, name)
      if (name.toLowerCase() === '.git')
        throw refusal('holds-git', `${folder} holds a git repository, which is not recorded. Nothing was removed.`, {
          path
        })
      if (ground.boundaries.has(path))
        throw refusal('other-folder', `${path} is recorded on its own. Nothing was removed.`, { path })
      const there = lstatSignature(absoluteOf(ground.root, path))
      if (!there) continue
      if (there.kind === 'special' || !isLosslessName(absoluteOf(ground.root, at), name))
        throw refusal('not-kept', `${path} could not be brought back, so nothing was removed.`, { path })
      found.push({ path, there })
      if (found.length > MOST_ENTRIES)
        throw refusal('too-many', `${folder} holds more than ${MOST_ENTRIES} entries. Remove its parts one by one.`, {
          path: folder
        })
      if (there.kind === 'dir') pending.push(path)
    }
  }
  return found
}

function namesIn(root: string, folder: string): string[] {
  try {
    return readdirSync(absoluteOf(root, folder))
  } catch (error) {
    throw toRefusal(error, folder)
  }
}

/** Deepest first. What changed meanwhile is left alone; what fails half way is said, and what is gone by then is in the log. */
function remove(root: string, entries: readonly Entry[]): void {
  for (const { path, there } of entries) if (there.kind !== 'dir') requireUnchanged(root, path, there)
  let removed = 0
  for (const { path, there } of [...entries].reverse()) {
    const absolute = absoluteOf(root, path)
    try {
      if (there.kind === 'dir') rmdirSync(absolute)
      else unlinkSync(absolute)
      removed++
    } catch (error) {
      const code = errorCode(error)
      if (code === '' || removed === 0) throw toRefusal(error, path)
      throw refusal(
        'partly',
        `${path} could not be removed (${code}); ${removed} entries in it were, and can be taken back.`,
        {
          path,
          removed
        }
      )
    }
  }
  syncFolder(dirname(absoluteOf(root, entries[0]?.path ?? '')))
}
