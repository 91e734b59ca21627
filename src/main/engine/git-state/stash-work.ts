/** [GT-7] Writes a stash: its ref and its line in the reflog of stashes, which has all of them. */
import { join } from 'node:path'
import { readSmallFile } from '../files/read-small-file.ts'
import type { GitWork } from '../store/restore-git.ts'
import { readRef, refused, writeGitFile } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { STASH_LOG } from './refs.ts'
import { STATE_FILE_LIMIT } from './state-files.ts'

/** Of a stash that becomes the newest again. `work`: its ref. */
export function stashWork(keeper: GitKeeper, gitDir: string, work: GitWork, title: string): GitWork {
  const log = readLog(gitDir)
  const time = Math.floor(keeper.now() / 1000)
  const before = work.from || '0'.repeat(work.to.length)
  const line = `${before} ${work.to} Driftline <driftline@localhost> ${time} +0000\t${title}\n`
  const after = Buffer.concat([log ?? Buffer.alloc(0), Buffer.from(line)])
  return { ...work, log: { from: log?.toString('base64') ?? null, to: after.toString('base64') } }
}

/** Of several stashes, each is appended to the reflog that the one before leaves. */
export function chainStashes(work: readonly GitWork[]): GitWork[] {
  let before: GitWork | null = null
  return work.map((item) => {
    if (item.kind !== 'stash' || !item.log) return item
    const chained: GitWork = before?.log ? afterStash(item, before) : item
    before = chained
    return chained
  })
}

function afterStash(item: GitWork, before: GitWork): GitWork {
  const line = bytesOf(item.log?.to).subarray(bytesOf(item.log?.from).length).toString('utf8')
  const former = item.from === '' ? '0'.repeat(item.to.length) : item.from
  const log = Buffer.concat([bytesOf(before.log?.to), Buffer.from(line.replace(former, before.to))])
  return { ...item, from: before.to, log: { from: before.log?.to ?? null, to: log.toString('base64') } }
}

/** Whether the reflog is as one of `works` begins or leaves it: of several, some may be written. */
export function knowsStashLog(gitDir: string, works: readonly GitWork[]): boolean {
  const now = readLog(gitDir)
  return works.some(({ log }) => log && [log.from, log.to].some((text) => isSame(now, text)))
}

/**
 * Of several stashes, an interrupted restore may have written later ones, too, or none: the newest is another one then,
 * and the reflog says whether this one is written.
 */
export function isStashPassed(gitDir: string, { name, from, log }: GitWork): boolean {
  if (!log || readRef(gitDir, name) === from) return false
  const now = readLog(gitDir) ?? Buffer.alloc(0)
  const [before, after] = [bytesOf(log.from), bytesOf(log.to)]
  return after.length > before.length ? beginsWith(now, after) : beginsWith(after, now)
}

/** Call while the ref is locked, which keeps git from writing either. Throws Refused if git changed the reflog since. */
export function writeStashLog(gitDir: string, { log, name }: GitWork): void {
  if (!log) return
  const now = readLog(gitDir)
  if (isSame(now, log.to)) return
  if (!isSame(now, log.from))
    throw refused('Git changed the list of stashes meanwhile, so it was not written. Restore again.', { name })
  writeGitFile(gitDir, STASH_LOG, log.to === null ? null : bytesOf(log.to))
}

function readLog(gitDir: string): Buffer | null {
  return readSmallFile(join(gitDir, STASH_LOG), STATE_FILE_LIMIT)
}

function isSame(log: Buffer | null, text: string | null): boolean {
  return log === null || text === null ? log === text : log.equals(bytesOf(text))
}

function bytesOf(text: string | null | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64')
}

function beginsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}
