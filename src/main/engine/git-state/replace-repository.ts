/**
 * [GT-4] Replaces `.git` as a whole. Nothing is deleted: what is there goes aside, then a kept state is written, or an
 * earlier folder moved back. A mark in the data folder says what was put there, so that an undo moves away nothing else.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../files/fs-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { type GitStore, gitStateAt } from '../store/git-store.ts'
import type { GitWork, WorkState } from '../store/restore-git.ts'
import { refused } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { writeRepository } from './write-repository.ts'

type Replacement = NonNullable<GitWork['repository']>

/** `undoes`: the mark of the restore whose undo this is. A journal of an earlier version has none. */
export function reverseReplacement(
  { state, back, replaces, aside, marked }: Replacement,
  nextAside: string
): Replacement {
  return {
    state: null,
    back: replaces ? aside : '',
    replaces: state !== null || back !== '',
    aside: nextAside,
    ...(marked ? { marked, undoes: markOf(aside) } : {})
  }
}

/** Where the repository that is now at `.git` is moved; the sweep deletes it with its time. */
export function asideOf(keeper: GitKeeper): string {
  return join(keeper.folder, `replaced-${keeper.now()}-${randomBytes(4).toString('hex')}`)
}

/** What is at `.git` now, and where it is moved. */
export function replacing(keeper: GitKeeper): Pick<Replacement, 'replaces' | 'aside' | 'marked'> {
  return { replaces: existsSync(join(keeper.root, '.git')), aside: asideOf(keeper), marked: true }
}

/** Whether it can be written now, without changing anything. */
export function stateOfReplacement(keeper: GitKeeper, store: GitStore, replacement: Replacement): WorkState {
  const { state, back, replaces, aside, undoes } = replacement
  const now = identityOf(join(keeper.root, '.git'))
  if (isPlaced(keeper, aside)) return 'written'
  if (state !== null) {
    const isOther = keeper.gitDir() !== null && now !== readMark(markOf(aside))
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

function writeState(keeper: GitKeeper, store: GitStore, state: number, { aside }: Replacement): void {
  const target = join(keeper.root, '.git')
  // A process died while it wrote: what it left has no HEAD, and is written again.
  const isBegun = existsSync(aside) || readMark(markOf(aside)) !== null
  moveAside(target, isBegun ? `${aside}-incomplete` : aside)
  try {
    mkdirSync(keeper.root, { recursive: true })
    writeRepository(keeper, store, state, target, () => writeMark(aside, identityOf(target)))
  } catch (error) {
    rmSync(target, { recursive: true, force: true })
    if (existsSync(aside)) renameSync(aside, target)
    rmSync(markOf(aside), { force: true })
    throw error
  }
}

function moveBack({ root }: GitKeeper, { back, aside }: Replacement): void {
  const target = join(root, '.git')
  const isBegun = existsSync(aside)
  if (!isBegun) moveAside(target, aside)
  // Before it is moved, which does not change what it is.
  writeMark(aside, back === '' ? NONE : identityOf(back))
  if (back === '') return
  mkdirSync(root, { recursive: true })
  renameSync(back, target)
}

/** Throws Refused if it cannot be moved, as to another disk. */
function moveAside(target: string, aside: string): void {
  if (!existsSync(target)) return
  try {
    mkdirSync(dirname(aside), { recursive: true })
    renameSync(target, aside)
  } catch (error) {
    const message = `Couldn’t move ${target} to ${aside} (${errorCode(error)}). It was not changed. Move it away yourself, then try again.`
    throw refused(message, { target })
  }
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

function isPlaced(keeper: GitKeeper, aside: string): boolean {
  const placed = readMark(markOf(aside))
  if (placed === null) return false
  const now = identityOf(join(keeper.root, '.git'))
  return placed === NONE ? now === '' : now === placed && keeper.gitDir() !== null
}

/** What a folder keeps when it is moved, and another one at its place does not have; '' if it is absent. */
function identityOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino}:${stats.birthtimeNs}` : ''
}
