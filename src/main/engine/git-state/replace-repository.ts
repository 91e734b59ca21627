/**
 * [GT-4] Replaces `.git` as a whole. Nothing is deleted: what is there goes aside, then a kept state is written, or an
 * earlier folder moved back. A mark in the data folder says what was put there, so that an undo moves away nothing else.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../files/fs-errors.ts'
import { whenFreeSync } from '../files/in-use.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { removeFile, removeTree } from '../files/remove.ts'
import { LINK_LIMIT, submoduleFolders } from '../git/git-folder.ts'
import { log } from '../ports/log.ts'
import { type GitStore, gitFilesAt, gitStateAt, readGitContent } from '../store/git-store.ts'
import type { GitWork, WorkState } from '../store/restore-git.ts'
import { refused } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { ownTarget, UNLINKED, WORKTREE_LINK } from './git-place.ts'
import { writeRepository } from './write-repository.ts'

type Replacement = NonNullable<GitWork['repository']>

/** `undoes`: the mark of the restore whose undo this is. A journal of an earlier version has none. */
export function reverseReplacement(
  { state, back, replaces, aside, marked, at, link }: Replacement,
  nextAside: string
): Replacement {
  return {
    state: null,
    back: replaces ? aside : '',
    replaces: state !== null || back !== '',
    aside: nextAside,
    ...(at === undefined ? {} : { at }),
    ...(link === undefined ? {} : { link }),
    ...(marked ? { marked, undoes: markOf(aside) } : {})
  }
}

/** Where the repository that is now at `.git` is moved; the sweep deletes it with its time. */
export function asideOf(keeper: GitKeeper): string {
  return join(keeper.folder, `replaced-${keeper.now()}-${randomBytes(4).toString('hex')}`)
}

/** What writes a kept state: at `.git`, or where a file `.git` leads if nothing is there any more. */
export function replacing(keeper: GitKeeper, store: GitStore, state: number): Replacement {
  const entry = join(keeper.root, WORKTREE_LINK)
  const target = missingTarget(keeper, store, state)
  const isLinkLost = target?.isLinked && !existsSync(entry)
  return {
    ...{ state, back: '', replaces: existsSync(target?.at ?? entry), aside: asideOf(keeper), marked: true },
    ...(target ? { at: target.at } : {}),
    ...(isLinkLost ? { link: target.link.toString('base64') } : {})
  }
}

/** The repository's own folder, where that is not `.git` and has no repository any more. */
function missingTarget({ root, reach }: GitKeeper, store: GitStore, state: number) {
  const files = gitFilesAt(store, state)
  const kept = files.find(({ path }) => path === WORKTREE_LINK)
  const link = kept?.hash && readGitContent(store, kept.hash)
  const at = link ? ownTarget(root, link, files) : null
  if (!link || at === null || reach(at) === 'other' || existsSync(join(at, 'HEAD'))) return null
  return { at, link, isLinked: kept.mode !== UNLINKED }
}

const placeOf = ({ root }: GitKeeper, { at }: Replacement): string => at ?? join(root, WORKTREE_LINK)

/** Whether it can be written now, without changing anything. */
export function stateOfReplacement(keeper: GitKeeper, store: GitStore, replacement: Replacement): WorkState {
  const { state, back, replaces, aside, undoes } = replacement
  const now = identityOf(placeOf(keeper, replacement))
  if (isPlaced(keeper, replacement)) return 'written'
  if (state !== null) {
    const isOther = now !== '' && keeper.gitDir() !== null && now !== readMark(markOf(aside))
    // What it replaces is moved already, or nothing was there: this was made since.
    if (isOther && (!replaces || existsSync(aside))) return 'changed'
    return state < (gitStateAt(store, '') ?? 0) ? 'evicted' : 'ready'
  }
  const isBackKept = back === '' || existsSync(back)
  if (undoes === undefined) return isBackKept ? 'ready' : 'evicted'
  const placed = readMark(undoes)
  if (placed === null && (back === '' || !isBackKept)) return 'written'
  // Something else was put there since.
  if (now !== '' && now !== placed && readMark(markOf(aside)) === null) return 'changed'
  return isBackKept ? 'ready' : 'evicted'
}

/** Throws Refused, with `.git` as it was. */
export function replaceRepository(keeper: GitKeeper, { repository }: GitWork): void {
  const store = keeper.store()
  if (!repository || !store) return
  switch (stateOfReplacement(keeper, store, repository)) {
    case 'written':
      return
    case 'changed':
      throw refused('Another .git was made here meanwhile. It was not changed. Move it away, then try again.')
    case 'evicted':
      throw refused(
        'What was kept of .git is older than the retention time, and is kept no longer. It was not written.'
      )
    default:
      if (keeper.place() === 'other')
        throw refused(`${keeper.path} is a link or a file now, or below one, so nothing was written there.`)
      if (repository.state === null) moveBack(keeper, repository)
      else writeState(keeper, store, repository.state, repository)
  }
}

function writeState(keeper: GitKeeper, store: GitStore, state: number, replacement: Replacement): void {
  const { aside } = replacement
  const target = placeOf(keeper, replacement)
  // A process died while it wrote: what it left has no HEAD, and is written again.
  const isBegun = existsSync(aside) || readMark(markOf(aside)) !== null
  moveAside(target, isBegun ? `${aside}-incomplete` : aside)
  try {
    mkdirSync(dirname(target), { recursive: true })
    writeRepository(keeper, store, state, target, () => {
      writeMark(aside, identityOf(target))
      addLink(keeper, replacement)
    })
  } catch (error) {
    removeTree(target)
    removeLink(keeper, replacement)
    if (existsSync(aside)) move(aside, target)
    removeFile(markOf(aside))
    throw error
  }
  for (const former of [aside, `${aside}-incomplete`]) returnSubmodules(former, target)
}

function moveBack(keeper: GitKeeper, replacement: Replacement): void {
  const { back, aside } = replacement
  const target = placeOf(keeper, replacement)
  const isBegun = existsSync(aside)
  if (!isBegun) moveAside(target, aside)
  // Before it is moved, which does not change what it is.
  writeMark(aside, back === '' ? NONE : identityOf(back))
  if (back === '') removeLink(keeper, replacement)
  else {
    mkdirSync(dirname(target), { recursive: true })
    move(back, target)
    addLink(keeper, replacement)
    returnSubmodules(aside, target)
  }
}

/**
 * Repositories of submodules are in the folder of another one, and none of its state: they stay where they are. One that cannot
 * be moved stays in the former folder until retention evicts that, and the log says where.
 */
function returnSubmodules(former: string, target: string): void {
  for (const path of submoduleFolders(former)) {
    const place = join(target, path)
    if (existsSync(place)) continue
    try {
      mkdirSync(dirname(place), { recursive: true })
      move(join(former, path), place)
    } catch (error) {
      if (errorCode(error) === '') throw error
      log.error(`The repository of a submodule could not be moved to ${place}. It is in ${join(former, path)}`, error)
    }
  }
}

function addLink({ root }: GitKeeper, { link }: Replacement): void {
  const file = join(root, WORKTREE_LINK)
  if (link === undefined || existsSync(file)) return
  mkdirSync(root, { recursive: true })
  writeFileSync(file, Buffer.from(link, 'base64'), { flush: true })
}

function removeLink({ root }: GitKeeper, { link }: Replacement): void {
  const file = join(root, WORKTREE_LINK)
  if (link !== undefined && readSmallFile(file, LINK_LIMIT)?.toString('base64') === link) removeFile(file)
}

/** Throws Refused if it cannot be moved, as to another disk. */
function moveAside(target: string, aside: string): void {
  if (!existsSync(target)) return
  try {
    mkdirSync(dirname(aside), { recursive: true })
    move(target, aside)
  } catch (error) {
    const message = `Couldn’t move ${target} to ${aside} (${errorCode(error)}). It was not changed. Move it away yourself, then try again.`
    throw refused(message, { target })
  }
}

/** A folder, in which a file may be in use for a moment. */
function move(from: string, to: string): void {
  whenFreeSync(() => renameSync(from, to))
}

const markOf = (aside: string): string => `${aside}.placed`
/** Of a `.git` that was removed. */
const NONE = 'none'

/** The mark is durable before `.git` is a repository, so that no restore is taken for one that wrote nothing. */
function writeMark(aside: string, identity: string): void {
  writeFileSync(markOf(aside), identity, { flush: true })
}

/** Null before anything was put at `.git`. */
function readMark(mark: string): string | null {
  return readSmallFile(mark, 200)?.toString('utf8') ?? null
}

function isPlaced(keeper: GitKeeper, replacement: Replacement): boolean {
  const placed = readMark(markOf(replacement.aside))
  if (placed === null) return false
  const now = identityOf(placeOf(keeper, replacement))
  return placed === NONE ? now === '' : now === placed && keeper.gitDir() !== null
}

/** What a folder keeps when it is moved, and another one at its place does not have; '' if it is absent. */
function identityOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino}:${stats.birthtimeNs}` : ''
}
