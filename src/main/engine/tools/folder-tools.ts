/**
 * create_dir and remove_dir. Invariant: nothing is removed before `apply`, and then only what was listed before and can
 * be restored; nothing is removed if a repository, a nested workspace or a special file is below the folder.
 */
import { readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode } from '../files/fs-errors.ts'
import { createPatience, eachWhenFree } from '../files/in-use.ts'
import { followLink, refusal, resolveNamedPath } from '../files/named-path.ts'
import { childOf, nameOf } from '../files/paths.ts'
import { type OpenFolder, openRealFolder } from '../files/pinned-folder.ts'
import { changedRefusal, makeFolders, openParent, openUnchanged, syncFolder, toRefusal } from '../files/replace-file.ts'
import { lstatSignature, type Signature } from '../files/signature.ts'
import { isLosslessName } from '../files/spelling.ts'
import { type PreparedUse, refusePath, type ToolContext, type UseOf, unchanged } from './prepared-use.ts'

/** Limit of one removal, because every entry is recorded first. */
const MAX_ENTRIES = 5000

export function prepareCreateDir(context: ToolContext, use: UseOf<'create_dir'>): PreparedUse {
  const named = followLink(context, resolveNamedPath(context, use.path))
  const { path, stat, missing } = named
  const answer = { paths: [path], bytes: 0 }
  if (stat?.kind === 'dir') return unchanged({ ...answer, outcome: { code: 'folder-exists' } })
  if (stat) throw refusePath(path, 'is-a-file', 'already exists and is not a folder. Choose another name.')
  const all = [...missing, path]
  return {
    changes: all,
    destroys: [],
    apply: async () => makeFolders(context.root, all),
    answer: { ...answer, outcome: { code: 'folder-created' } }
  }
}

interface Entry {
  readonly path: string
  readonly stat: Signature
}

export function prepareRemoveDir(context: ToolContext, use: UseOf<'remove_dir'>): PreparedUse {
  const { path, stat } = resolveNamedPath(context, use.path)
  if (!stat) return unchanged({ paths: [path], bytes: 0, outcome: { code: 'absent' } })
  if (stat.kind !== 'dir') throw refusePath(path, 'is-a-file', 'is not a folder. Use delete_file.')
  const inner = entriesBelow(context, path, use.force === true)
  const all: Entry[] = [{ path, stat }, ...inner]
  const bytes = inner.reduce((sum, entry) => sum + (entry.stat.kind === 'file' ? entry.stat.size : 0), 0)
  return {
    changes: all.map((entry) => entry.path),
    destroys: all.map((entry) => entry.path),
    apply: () => removeEntries(context.root, all),
    answer: {
      paths: [path],
      bytes,
      outcome: { code: 'folder-removed', entries: inner.length }
    }
  }
}

/** All entries below a folder, each folder before its entries. Throws Refused when an entry could not be restored. */
function entriesBelow(context: ToolContext, folder: string, force: boolean): Entry[] {
  const entries: Entry[] = []
  const pending = [folder]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    using opened = openRealFolder(context.root, parent)
    if (opened === null) throw changedRefusal(parent)
    const names = namesIn(opened, parent)
    if (!force && names.length > 0)
      throw refusal(
        'not-empty',
        `${folder} contains ${names.length === 1 ? '1 entry' : `${names.length} entries`}. Pass force: true to remove them, too.`,
        { path: folder, entries: names.length }
      )
    for (const name of names.sort()) {
      const path = childOf(parent, name)
      if (name.toLowerCase() === '.git')
        throw refusal('holds-git', `${folder} contains a git repository, which is not recorded. Nothing was removed.`, {
          path
        })
      if (context.boundaries.has(path))
        throw refusePath(path, 'other-folder', 'is recorded as its own folder. Nothing was removed.')
      const stat = lstatSignature(opened.absolute(name))
      if (!stat) continue
      if (stat.kind === 'special' || !isLosslessName(opened.absolute(''), name))
        throw refusePath(path, 'not-kept', 'could not be restored afterwards, so nothing was removed.')
      entries.push({ path, stat })
      if (entries.length > MAX_ENTRIES)
        throw refusePath(
          folder,
          'too-many',
          `contains more than ${MAX_ENTRIES} entries. Remove its subfolders one by one.`
        )
      if (stat.kind === 'dir') pending.push(path)
    }
  }
  return entries
}

function namesIn(folder: OpenFolder, path: string): string[] {
  try {
    return readdirSync(folder.absolute(''))
  } catch (error) {
    throw toRefusal(error, path)
  }
}

/**
 * Removes the deepest entries first. A file that changed since it was prepared is not removed. When an entry fails, the
 * error says how many were removed; those are in the log.
 */
async function removeEntries(root: string, entries: readonly Entry[]): Promise<void> {
  for (const { path, stat } of entries) if (stat.kind !== 'dir') openUnchanged(root, path, stat)[Symbol.dispose]()
  let removed = 0
  const remove = ({ path, stat }: Entry): void => {
    using folder = openParent(root, path)
    const absolute = folder.absolute(nameOf(path))
    if (stat.kind === 'dir') rmdirSync(absolute)
    else unlinkSync(absolute)
    removed++
    if (path === entries[0]?.path) syncFolder(folder)
  }
  await eachWhenFree(createPatience(), [...entries].reverse(), remove, ({ path }, error) => {
    const code = error instanceof DriftlineError ? 'changed by another program' : errorCode(error)
    if (code === '' || removed === 0) throw toRefusal(error, path)
    throw refusal(
      'partly',
      `Couldn’t remove ${path} (${code}). ${removed} other entries were removed; they can be restored.`,
      { path, removed }
    )
  })
}
