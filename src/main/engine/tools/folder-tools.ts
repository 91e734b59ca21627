/** create_dir and remove_dir. */
import { readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { isExactName } from '../files/exact-name.ts'
import { absoluteOf, childOf } from '../files/inside.ts'
import { linkTarget, namedPath, refusal } from '../files/named-path.ts'
import { fromSystem, makeFolders, mustBe, syncFolder } from '../files/replace-file.ts'
import { lstatSignature, type Signature } from '../files/signature.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { alreadySo, type Prepared, type ToolGround } from './prepared.ts'

/** More is not removed at once: everything is recorded first. */
const MOST_ENTRIES = 5000

export function prepareCreateDir(ground: ToolGround, use: { readonly path: string }): Prepared {
  const named = linkTarget(ground, namedPath(ground, use.path))
  const { path, there, missing } = named
  const answer = { paths: [path], bytes: 0 }
  if (there?.kind === 'dir') return alreadySo({ ...answer, said: `The folder ${path} is there already.` })
  if (there) throw refusal('is-a-file', `${path} is there already and is no folder. Choose another name.`, { path })
  const all = [...missing, path]
  return {
    changes: all,
    loses: [],
    act: () => {
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
  ground: ToolGround,
  use: { readonly path: string; readonly force?: boolean }
): Prepared {
  const { path, there } = namedPath(ground, use.path)
  if (!there) return alreadySo({ paths: [path], bytes: 0, said: `There is no ${path}.` })
  if (there.kind !== 'dir') throw refusal('is-a-file', `${path} is no folder. Use delete_file.`, { path })
  const inner = entriesBelow(ground, path, use.force === true)
  const all: Entry[] = [{ path, there }, ...inner]
  const bytes = inner.reduce((sum, entry) => sum + (entry.there.kind === 'file' ? entry.there.size : 0), 0)
  return {
    changes: all.map((entry) => entry.path),
    loses: all.map((entry) => entry.path),
    act: () => remove(ground.root, all),
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
function entriesBelow(ground: ToolGround, folder: string, force: boolean): Entry[] {
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
      if (there.kind === 'special' || !isExactName(absoluteOf(ground.root, at), name))
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
    throw fromSystem(error, folder)
  }
}

/** Deepest first. What changed meanwhile is left alone; what fails half way is said, and what is gone by then is in the log. */
function remove(root: string, entries: readonly Entry[]): void {
  for (const { path, there } of entries) if (there.kind !== 'dir') mustBe(root, path, there)
  let removed = 0
  for (const { path, there } of [...entries].reverse()) {
    const absolute = absoluteOf(root, path)
    try {
      if (there.kind === 'dir') rmdirSync(absolute)
      else unlinkSync(absolute)
      removed++
    } catch (error) {
      const code = errorCode(error)
      if (code === '' || removed === 0) throw fromSystem(error, path)
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
