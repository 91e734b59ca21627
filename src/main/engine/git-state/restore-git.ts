/**
 * Restores what git lost: objects come back by hard link, then the ref that needs them is written. HEAD, the index and
 * the branches that exist are never changed, except when the repository is restored as a whole.
 */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { LostItem, RestoredGitItem } from '../../../contract/git.ts'
import { errorCode } from '../files/fs-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import {
  type GitFileRow,
  type GitStore,
  gitFilesAt,
  insertGitRestore,
  markGitRestoreUndone,
  newestGitRestore,
  readGitContent
} from '../store/git-store.ts'
import { transact } from '../store/sql.ts'
import { checkInside, readRef, refused, waitForIndex, writeGitFile, writeRef } from './git-files.ts'
import { type GitKeeper, repositoryOf, WORKTREE_LINK } from './git-keeper.ts'
import { isKeptLoose, returnObjects } from './kept-objects.ts'
import { listLost, removalState } from './lost.ts'
import { readGit } from './read-git.ts'
import { STASH_LOG } from './refs.ts'

export interface GitRestoreRequest {
  /** Names of lost items. */
  readonly names: readonly string[]
  /** Everything that is lost. */
  readonly all: boolean
  /** A branch of this name gets the one item. */
  readonly as?: string | undefined
  readonly dryRun: boolean
}

/** One restored item, with what its undo needs. */
interface Done extends RestoredGitItem {
  /** The reflog of stashes before, in base64; null = absent. */
  readonly stashLog?: string | null
  /** Where the replaced repository is. */
  readonly aside?: string
}

/** [GT-2] Throws UnknownTarget for a name that is not lost, and Refused with nothing changed. */
export async function restoreGit(keeper: GitKeeper, request: GitRestoreRequest): Promise<RestoredGitItem[]> {
  const { lost } = await listLost(keeper)
  const chosen = chooseItems(lost, request)
  const store = keeper.store()
  if (!store || chosen.length === 0) return []
  if (request.dryRun) return chosen.map((item) => plannedItem(keeper, item, request.as))
  const done: Done[] = []
  try {
    for (const item of chosen)
      done.push(
        item.kind === 'repository'
          ? await restoreRepository(keeper, store)
          : await restoreItem(keeper, item, request.as)
      )
  } finally {
    // What was written before a refusal is undone like the rest.
    if (done.length > 0) transact(store, (tx) => insertGitRestore(tx, keeper.now(), JSON.stringify(done)))
    keeper.capture()
  }
  return done.map(shownItem)
}

const shownItem = ({ kind, name, from, to, result }: RestoredGitItem): RestoredGitItem => ({
  kind,
  name,
  from,
  to,
  result
})

/** Restores the newest restore’s former state. Throws Refused, with nothing changed, if git changed an item since. */
export async function undoGitRestore(keeper: GitKeeper): Promise<RestoredGitItem[]> {
  const store = keeper.store()
  const newest = store && newestGitRestore(store)
  if (!store || !newest)
    throw new DriftlineError('UnknownTarget', 'No restore of git’s state is left to undo. Nothing was changed.', {})
  const items = JSON.parse(newest.items) as Done[]
  for (const item of items.toReversed()) await undoItem(keeper, item)
  transact(store, (tx) => markGitRestoreUndone(tx, newest.id))
  keeper.capture()
  return items.map(({ kind, name, from, to }) => ({ kind, name, from: to, to: from, result: 'done' }))
}

function chooseItems(lost: readonly LostItem[], { names, all, as }: GitRestoreRequest): LostItem[] {
  const unknown = names.find((name) => !lost.some((item) => isNamed(item, name)))
  if (unknown !== undefined)
    throw new DriftlineError(
      'UnknownTarget',
      `"${unknown}" is not lost. Nothing was changed. \`driftline git\` lists what is.`,
      { name: unknown }
    )
  const chosen = lost.filter((item) => all || names.some((name) => isNamed(item, name)))
  if (as === undefined) return all ? wholeOrTips(chosen) : chosen
  if (chosen.length !== 1 || chosen[0]?.kind === 'repository')
    throw new DriftlineError('Usage', '--as takes one branch, tag, stash or commit. Nothing was changed.', { as })
  checkBranchName(as)
  return chosen
}

/** The whole repository has all else; commits without a name need one of a person. */
function wholeOrTips(lost: readonly LostItem[]): LostItem[] {
  const whole = lost.filter(({ kind }) => kind === 'repository')
  return whole.length > 0 ? whole : lost.filter(({ kind }) => kind !== 'commits')
}

function isNamed({ name, commit, kind }: LostItem, wanted: string): boolean {
  return name === wanted || (kind !== 'repository' && wanted.length >= 7 && commit.startsWith(wanted))
}

/** git-check-ref-format(1), and no option. */
function checkBranchName(name: string): void {
  const isValid =
    /^[^\0-\x20\x7f~^:?*[\\]+$/.test(name) &&
    !/\.\.|@\{|^-|^@$/.test(name) &&
    name.split('/').every((part) => part !== '' && !/^\.|\.lock$|\.$/.test(part))
  if (!isValid)
    throw new DriftlineError('Usage', `"${name}" is not a name for a branch. Nothing was changed.`, { name })
}

function refOf({ kind, name, title }: LostItem, as: string | undefined): string {
  if (as !== undefined) return `refs/heads/${as}`
  if (kind === 'stash') return 'refs/stash'
  if (kind === 'tag') return `refs/tags/${name}`
  // Commits that a branch no longer has come back beside it.
  return kind === 'commits' ? `refs/heads/${title.replace(/^refs\//, '')}-${name.slice(0, 7)}` : fullName(name)
}

const fullName = (name: string): string => (name.startsWith('refs/') ? name : `refs/heads/${name}`)

function plannedItem(keeper: GitKeeper, item: LostItem, as: string | undefined): RestoredGitItem {
  const { kind, commit } = item
  if (kind === 'repository') return { kind, name: '.git', from: '', to: '', result: 'planned' }
  const name = refOf(item, as)
  return { kind, name, from: readRef(presentRepository(keeper), name), to: commit, result: 'planned' }
}

function presentRepository(keeper: GitKeeper): string {
  const gitDir = repositoryOf(keeper.root)
  if (gitDir !== null) return gitDir
  throw refused('The repository is gone. Nothing was written. Restore it first: driftline git restore .git', {})
}

async function restoreItem(keeper: GitKeeper, item: LostItem, as: string | undefined): Promise<Done> {
  const gitDir = presentRepository(keeper)
  const ref = refOf(item, as)
  const from = readRef(gitDir, ref)
  if (existsSync(join(gitDir, 'reftable')))
    throw refused('This repository keeps its refs as reftable, which only git writes. Nothing was written.', { ref })
  if (ref !== 'refs/stash' && from !== '')
    throw refused(`${ref} exists, so it was not written. Restore under another name with --as.`, { ref })
  await waitForIndex(gitDir)
  await bringObjects(keeper, gitDir, item.commit)
  const { kind, commit } = item
  const done: Done = { kind, name: ref, from, to: commit, result: 'done' }
  if (ref !== 'refs/stash') {
    writeRef(gitDir, ref, from, commit)
    return done
  }
  const log = readSmallFile(join(gitDir, STASH_LOG), 2 ** 26)
  const time = Math.floor(keeper.now() / 1000)
  const line = `${from || '0'.repeat(commit.length)} ${commit} Driftline <driftline@localhost> ${time} +0000\t${item.title}\n`
  writeRef(gitDir, ref, from, commit)
  writeGitFile(gitDir, STASH_LOG, Buffer.concat([log ?? Buffer.alloc(0), Buffer.from(line)]))
  return { ...done, stashLog: log?.toString('base64') ?? null }
}

/** Links every object of `commit` that the repository lacks. Throws Refused if one is kept nowhere. */
async function bringObjects(keeper: GitKeeper, gitDir: string, commit: string): Promise<void> {
  const { kept } = keeper
  const printed = await readGit({ gitDir, kept }, [
    'rev-list',
    '--objects',
    '--no-object-names',
    commit,
    '--not',
    '--all',
    '--'
  ])
  if (printed !== null) {
    const needed = new Set(printed.split('\n').filter(Boolean))
    const packs = [...needed].some((id) => !isKeptLoose(kept, id))
    returnObjects(kept, join(gitDir, 'objects'), (folder, name) =>
      folder === 'pack' ? packs : needed.has(folder + name)
    )
  }
  const isComplete =
    printed !== null &&
    (await readGit({ gitDir, kept: null }, ['rev-list', '--objects', '--quiet', commit, '--'])) !== null
  if (!isComplete)
    throw refused(`Not all objects of ${commit.slice(0, 12)} are kept, or git is not installed. No ref was written.`, {
      commit
    })
}

/** [GT-4] The whole `.git` of the state before it was lost. What is in its place now is kept aside, in the data folder. */
async function restoreRepository(keeper: GitKeeper, store: GitStore): Promise<Done> {
  const removal = removalState(store)
  const target = join(keeper.root, '.git')
  if (!removal) throw refused('No kept state has a repository. Nothing was written.', {})
  const aside = await moveAside(keeper, target, 'replaced')
  try {
    const files = gitFilesAt(store, removal.id - 1)
    const link = files.find(({ path }) => path === WORKTREE_LINK)?.hash
    if (link) writeLink(keeper, readGitContent(store, link), target)
    else writeRepository(keeper, store, files, target)
  } catch (error) {
    rmSync(target, { recursive: true, force: true })
    if (aside !== '') renameSync(aside, target)
    throw error
  }
  return { kind: 'repository', name: '.git', from: '', to: '', result: 'done', aside }
}

/** Moves what is at `.git` to the data folder; returns where it is, '' if there was nothing. */
async function moveAside(keeper: GitKeeper, target: string, name: string): Promise<string> {
  if (!existsSync(target)) return ''
  await waitForIndex(target)
  const aside = join(keeper.folder, `${name}-${keeper.now()}`)
  try {
    renameSync(target, aside)
    return aside
  } catch (error) {
    const message = `Couldn’t move ${target} to ${aside} (${errorCode(error)}). Nothing was changed. Move it away yourself, then try again.`
    throw refused(message, { target })
  }
}

/** Throws Refused if the repository that a worktree belongs to is gone: it has a history of its own. */
function writeLink(keeper: GitKeeper, link: Uint8Array, target: string): void {
  writeFileSync(target, link, { flag: 'wx', flush: true })
  if (repositoryOf(keeper.root) === null)
    throw refused(
      'The repository that this worktree belongs to is gone. Nothing was written. Restore that one first.',
      {}
    )
}

/** HEAD is written last: without it, git takes the folder for no repository. */
function writeRepository(keeper: GitKeeper, store: GitStore, kept: readonly GitFileRow[], folder: string): void {
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(join(folder, name), { recursive: true })
  returnObjects(keeper.kept, join(folder, 'objects'), () => true)
  const files = kept.toSorted((a, b) => Number(a.path === 'HEAD') - Number(b.path === 'HEAD'))
  for (const { path, mode, hash } of files) {
    if (!hash) continue
    checkInside(folder, path)
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, readGitContent(store, hash), { flag: 'wx', flush: true })
    chmodSync(file, mode)
  }
}

async function undoItem(keeper: GitKeeper, item: Done): Promise<void> {
  if (item.kind === 'repository') return undoRepository(keeper, item)
  const gitDir = presentRepository(keeper)
  await waitForIndex(gitDir)
  writeRef(gitDir, item.name, item.to, item.from)
  if (item.stashLog !== undefined)
    writeGitFile(gitDir, STASH_LOG, item.stashLog === null ? null : Buffer.from(item.stashLog, 'base64'))
}

/** Nothing is deleted: the restored repository goes aside, and what it replaced comes back. */
async function undoRepository(keeper: GitKeeper, { aside }: Done): Promise<void> {
  const target = join(keeper.root, '.git')
  await moveAside(keeper, target, 'undone')
  if (aside) renameSync(aside, target)
}
