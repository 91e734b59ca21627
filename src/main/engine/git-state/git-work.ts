/**
 * [GT-7] Writes one item of git's own state, unless it is written already, so that an interrupted restore can be
 * finished. Everything an undo needs is known before: it is in the item.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { errorCode } from '../files/fs-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { gitFolderAt } from '../git/git-folder.ts'
import { objectIdsOfIndex } from '../git/git-index-objects.ts'
import { readGitContent } from '../store/git-store.ts'
import { sha256 } from '../store/hash.ts'
import type { GitWork } from '../store/restore-git.ts'
import { bringCommit, bringObjects } from './bring-objects.ts'
import { isReftable, readRef, refused, writeGitFile, writeRef } from './git-files.ts'
import { type GitKeeper, repositoryOf } from './git-keeper.ts'
import { STASH_LOG } from './refs.ts'
import { STATE_FILE_LIMIT } from './state-files.ts'
import { writeRepository } from './write-repository.ts'

/** Throws Refused, with nothing of the item changed. */
export async function writeWork(keeper: GitKeeper, work: GitWork): Promise<void> {
  switch (work.kind) {
    case 'repository':
      return replaceRepository(keeper, work)
    case 'stash':
      return writeStash(keeper, work)
    case 'head':
      return writeHead(keeper, work)
    case 'index':
      return writeIndex(keeper, work)
    default:
      return writeNamed(keeper, work)
  }
}

/** What undoes the items, the last one first. `aside`: where a repository that is in the place of one is moved. */
export function reverseWork(work: readonly GitWork[], aside: string): GitWork[] {
  return work.toReversed().map(({ from, to, log, repository, ...item }) => ({
    ...item,
    from: to,
    to: from,
    ...(log ? { log: { from: log.to, to: log.from } } : {}),
    ...(repository ? { repository: reverseRepository(repository, aside) } : {})
  }))
}

function reverseRepository(
  { state, back, replaces, aside }: NonNullable<GitWork['repository']>,
  nextAside: string
): NonNullable<GitWork['repository']> {
  return {
    state: null,
    back: replaces ? aside : '',
    replaces: state !== null || back !== '',
    aside: nextAside
  }
}

/** Where the repository that is now at `.git` is moved; the sweep deletes it with its time. */
export function asideOf(keeper: GitKeeper): string {
  return join(keeper.folder, `replaced-${keeper.now()}-${randomBytes(4).toString('hex')}`)
}

/** What is at `.git` now, and where it is moved. */
export function replacing(keeper: GitKeeper): Pick<NonNullable<GitWork['repository']>, 'replaces' | 'aside'> {
  return { replaces: existsSync(join(keeper.root, '.git')), aside: asideOf(keeper) }
}

/** Of a stash that becomes the newest again. `work`: its ref. */
export function stashWork(keeper: GitKeeper, gitDir: string, work: GitWork, title: string): GitWork {
  const log = readSmallFile(join(gitDir, STASH_LOG), STATE_FILE_LIMIT)
  const time = Math.floor(keeper.now() / 1000)
  const before = work.from || '0'.repeat(work.to.length)
  const line = `${before} ${work.to} Driftline <driftline@localhost> ${time} +0000\t${title}\n`
  const after = Buffer.concat([log ?? Buffer.alloc(0), Buffer.from(line)])
  return { ...work, log: { from: log?.toString('base64') ?? null, to: after.toString('base64') } }
}

/** Of several stashes, each is appended to the reflog that the one before leaves. */
export function inWritingOrder(work: readonly GitWork[]): GitWork[] {
  let before: GitWork | null = null
  const rank = ({ kind }: GitWork): number => ['stash', 'index', 'head'].indexOf(kind)
  return work
    .toSorted((a, b) => rank(a) - rank(b))
    .map((item) => {
      if (item.kind !== 'stash' || !item.log) return item
      const chained: GitWork = before?.log ? afterStash(item, before) : item
      before = chained
      return chained
    })
}

function afterStash(item: GitWork, before: GitWork): GitWork {
  const bytes = (text: string | null | undefined): Buffer => Buffer.from(text ?? '', 'base64')
  const line = bytes(item.log?.to).subarray(bytes(item.log?.from).length).toString('utf8')
  const former = item.from === '' ? '0'.repeat(item.to.length) : item.from
  const log = Buffer.concat([bytes(before.log?.to), Buffer.from(line.replace(former, before.to))])
  return { ...item, from: before.to, log: { from: before.log?.to ?? null, to: log.toString('base64') } }
}

async function writeNamed(keeper: GitKeeper, { name, from, to }: GitWork): Promise<void> {
  const gitDir = presentRepository(keeper)
  if (isReftable(gitDir))
    throw refused('This repository keeps its refs as reftable, which only git writes. It was not written.', { name })
  if (readRef(gitDir, name) === to) return
  if (to !== '') await bringCommit(keeper, gitDir, to)
  writeRef(gitDir, name, from, to)
}

async function writeStash(keeper: GitKeeper, work: GitWork): Promise<void> {
  if (isPassed(keeper, work)) return
  await writeNamed(keeper, work)
  if (!work.log) return
  const gitDir = presentRepository(keeper)
  const [now, to] = [readSmallFile(join(gitDir, STASH_LOG), STATE_FILE_LIMIT), work.log.to]
  const wanted = to === null ? null : Buffer.from(to, 'base64')
  if (now === wanted || (now && wanted && now.equals(wanted))) return
  writeGitFile(gitDir, STASH_LOG, wanted)
}

/**
 * Of several stashes, an interrupted restore may have written later ones, too, or none: the newest is another one then,
 * and the reflog says whether this one is written.
 */
function isPassed(keeper: GitKeeper, { name, from, log }: GitWork): boolean {
  const gitDir = presentRepository(keeper)
  if (!log || readRef(gitDir, name) === from) return false
  const now = readSmallFile(join(gitDir, STASH_LOG), STATE_FILE_LIMIT) ?? Buffer.alloc(0)
  const [before, after] = [log.from, log.to].map((text) => Buffer.from(text ?? '', 'base64')) as [Buffer, Buffer]
  return after.length > before.length ? beginsWith(now, after) : beginsWith(after, now)
}

function beginsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}

async function writeHead(keeper: GitKeeper, { name, from, to }: GitWork): Promise<void> {
  const gitDir = presentRepository(keeper)
  const now = readSmallFile(join(gitDir, name), 8192)?.toString('utf8').trim() ?? ''
  if (now === to) return
  if (now !== from) throw refused('Git changed HEAD meanwhile, so it was not written. Restore again.', { name })
  if (/^[0-9a-f]+$/.test(to)) await bringCommit(keeper, gitDir, to)
  writeGitFile(gitDir, name, Buffer.from(`${to}\n`))
}

async function writeIndex(keeper: GitKeeper, { name, from, to }: GitWork): Promise<void> {
  const gitDir = presentRepository(keeper)
  const store = keeper.store()
  const now = readSmallFile(join(gitDir, name), STATE_FILE_LIMIT)
  const hash = now ? sha256(now).toString('hex') : ''
  if (hash === to || !store) return
  if (hash !== from) throw refused('Git changed the index meanwhile, so it was not written. Restore again.', { name })
  const bytes = to === '' ? null : readGitContent(store, Buffer.from(to, 'hex'))
  if (bytes) {
    const ids = objectIdsOfIndex(bytes, isSha256(gitDir) ? 32 : 20)
    if (!ids) throw refused('The kept index is in a form that only git reads, so it was not written.', { name })
    await bringObjects(keeper, gitDir, ids)
  }
  writeGitFile(gitDir, name, bytes)
}

function isSha256(gitDir: string): boolean {
  const config = readSmallFile(join(gitDir, 'config'), 2 ** 20)?.toString('utf8') ?? ''
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(config)
}

/** Nothing is deleted: what is at `.git` goes aside, then a kept state is written, or an earlier folder moved back. */
function replaceRepository(keeper: GitKeeper, { repository }: GitWork): void {
  const target = join(keeper.root, '.git')
  const store = keeper.store()
  if (!repository || !store) return
  const { state, back, aside } = repository
  const isBegun = existsSync(aside)
  if (state === null) {
    // It is back already, or was never moved.
    if (back !== '' && !existsSync(back)) return
    if (!isBegun) moveAside(target, aside)
    if (back !== '') renameSync(back, target)
    return
  }
  if ((isBegun || !repository.replaces) && repositoryOf(keeper.root) !== null) return
  // A process died while it wrote: what it left has no HEAD, and is written again.
  moveAside(target, isBegun ? `${aside}-incomplete` : aside)
  try {
    writeRepository(keeper, store, state, target)
  } catch (error) {
    rmSync(target, { recursive: true, force: true })
    if (existsSync(aside)) renameSync(aside, target)
    throw error
  }
}

/** Throws Refused if it cannot be moved, as to another disk. */
export function moveAside(target: string, aside: string): void {
  if (!existsSync(target)) return
  try {
    mkdirSync(dirname(aside), { recursive: true })
    renameSync(target, aside)
  } catch (error) {
    const message = `Couldn’t move ${target} to ${aside} (${errorCode(error)}). It was not changed. Move it away yourself, then try again.`
    throw refused(message, { target })
  }
}

export function presentRepository(keeper: GitKeeper): string {
  const gitDir = repositoryOf(keeper.root)
  if (gitDir !== null) return gitDir
  throw refused('This folder has no git repository now. Restore .git first: driftline git restore .git', {})
}

/** Where HEAD and the index of this folder are in its repository: '' or, of a linked worktree, `worktrees/NAME/`. */
export function ownFolder(keeper: GitKeeper): string {
  const git = gitFolderAt(keeper.root)
  const folder = git ? relative(git.commonDir, git.gitDir).split('\\').join('/') : ''
  return folder === '' ? '' : `${folder}/`
}
