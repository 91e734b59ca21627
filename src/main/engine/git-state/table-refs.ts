/**
 * Refs in tables (reftable), which are never rewritten: a change is one more table, whose name is added to the list under
 * git's own lock, with the reflog in the same table.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { isRefName } from '../git/git-head.ts'
import { encodeTable, type TableContent } from '../git/reftable/encode-table.ts'
import { readTableList, TABLE_LIST, TABLES, withLiveStack } from '../git/reftable/live-stack.ts'
import { UnreadableTable } from '../git/reftable/source.ts'
import type { RefStack } from '../git/reftable/stack.ts'
import type { Clock } from '../ports/clock.ts'
import type { GitWork } from '../store/restore-git.ts'
import {
  checkInside,
  fill,
  idBytesOf,
  isLocked,
  nameTaken,
  refused,
  removeGitFile,
  waitForLock,
  withLock
} from './git-files.ts'
import { OPERATION_REF, STASH_REF, stashLogOf } from './parse-refs.ts'
import type { LiveRefs } from './ref-backend.ts'
import { isLogWritten, logBytes } from './stash-log.ts'

type Change = Parameters<LiveRefs['write']>[0]

export function tableRefs(gitDir: string, clock: Clock): LiveRefs {
  const use = <T>(name: string, read: (stack: RefStack, ref: string) => T): T => {
    const { folder, ref } = placeOf(gitDir, name)
    return readable(() => withLiveStack(folder, (stack) => read(stack, ref)))
  }
  const read = (name: string): string => use(name, (stack, ref) => stack.ref(ref))
  return {
    read,
    has: (name) => ifRead(() => read(name) !== '', false),
    hasAny: () =>
      ifRead(() => use(STASH_REF, (stack) => [...stack.refs().keys()].some((name) => name.startsWith('refs/'))), true),
    stashLog: () => use(STASH_REF, stashLogOf),
    write: (change) => addTable(gitDir, change, clock)
  }
}

/** A worktree's own refs are in tables of its own: `worktrees/NAME/HEAD`, `worktrees/NAME/refs/bisect/bad`. */
function placeOf(gitDir: string, name: string): { folder: string; ref: string } {
  const [, own, ref] = /^(worktrees\/[^/]+)\/(.+)$/s.exec(name) ?? []
  return own && ref ? { folder: join(gitDir, own), ref } : { folder: gitDir, ref: name }
}

/** Throws Refused for tables that cannot be read. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    throw refused(
      `Couldn’t read the tables of git’s refs (reftable): ${error.message}. They were not changed. Run "git fsck", or move .git away and restore it as a whole.`
    )
  }
}

function ifRead(test: () => boolean, otherwise: boolean): boolean {
  try {
    return test()
  } catch (error) {
    if (error instanceof DriftlineError) return otherwise
    throw error
  }
}

/** How often git may write between the first read and the lock. */
const TRIES = 50

/** The table is made before the lock is taken, which is held for the shortest time: whoever dies with it stops git. */
async function addTable(gitDir: string, change: Change, clock: Clock): Promise<void> {
  const { folder, ref } = placeOf(gitDir, change.name)
  const list = join(folder, TABLES, TABLE_LIST)
  checkInside(folder, `${TABLES}/${TABLE_LIST}`)
  for (let tries = 0; tries < TRIES; tries++) {
    await waitForLock(`${list}.lock`, clock)
    const before = readTableList(folder)
    const content = readable(() =>
      withLiveStack(folder, (stack) => contentOf(stack, { ...change, name: ref }, idBytesOf(gitDir)))
    )
    if (placeTable(folder, before, content)) return
  }
  throw refused(`Git changed ${change.name} again and again, so it was not written. Restore again.`, { ref })
}

/**
 * False if git has changed the list since `before`, or holds it. A table that is in no list is none yet, and git deletes it
 * some day.
 */
function placeTable(folder: string, before: Buffer, content: TableContent): boolean {
  const name = nameOf(content)
  const table = join(folder, TABLES, name)
  writeNew(table, encodeTable(content))
  let isPlaced = false
  try {
    withLock(folder, `${TABLES}/${TABLE_LIST}`, (lock) => {
      if (!readTableList(folder).equals(before)) return false
      fill(lock, Buffer.concat([before, Buffer.from(`${name}\n`)]))
      isPlaced = true
      return true
    })
  } catch (error) {
    isPlaced = false
    if (!isLocked(error)) throw error
  } finally {
    if (!isPlaced) removeGitFile(table)
  }
  return isPlaced
}

function writeNew(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'wx', 0o666)
  try {
    fill(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** As git names tables: the first and the last transaction, and something random. */
function nameOf({ index, logs }: TableContent): string {
  const hex = (value: number): string => `0x${value.toString(16).padStart(12, '0')}`
  const last = Math.max(index, ...logs.map((log) => log.index))
  return `${hex(index)}-${hex(last)}-${randomBytes(4).toString('hex')}.ref`
}

/** Throws Refused if the ref, or the reflog of stashes, is not as before the change. */
function contentOf(stack: RefStack, { name, from, to, log }: Change, idBytes: 20 | 32): TableContent {
  if (stack.ref(name) !== from)
    throw refused(`Git changed ${name} meanwhile, so it was not written. Restore again.`, { ref: name })
  if (to !== '' && name !== 'HEAD' && !OPERATION_REF.test(name) && !isRefName(name))
    throw refused(`Git allows no ref of the name ${name}, so it was not written. Use --as with another name.`, { name })
  if (to !== '' && from === '') checkFree(stack, name)
  const index = stack.nextIndex
  return { idBytes, index, refs: new Map([[name, to]]), logs: log ? changedLog(stack, name, log, index) : [] }
}

/** A branch `a` and a branch `a/b` cannot both exist. */
function checkFree(stack: RefStack, name: string): void {
  const taken = [...stack.refs().keys()].find((ref) => ref.startsWith(`${name}/`) || name.startsWith(`${ref}/`))
  if (taken !== undefined) throw nameTaken(name)
}

/** Of two reflogs, one is the start of the other: lines are added at the end, or taken from there. */
function changedLog(
  stack: RefStack,
  name: string,
  log: NonNullable<GitWork['log']>,
  index: number
): TableContent['logs'] {
  if (isLogWritten(stashLogOf(stack), log, name)) return []
  const now = stack.log(name)
  const wanted = (logBytes(log.to)?.toString('latin1') ?? '').split('\n').filter(Boolean)
  const common = Math.min(now.length, wanted.length)
  if (now.slice(0, common).some(({ line }, n) => line !== wanted[n]))
    throw refused('Git changed the list of stashes meanwhile, so it was not written. Restore again.', { name })
  return [
    ...now.slice(common).map((record) => ({ name, index: record.index, line: null })),
    ...wanted.slice(common).map((line, n) => ({ name, index: index + n, line }))
  ]
}
