/** [GT-7] Writes a stash: its ref and its line in the reflog of stashes, which has all of them. */
import type { GitWork } from '../store/restore-git.ts'
import type { LiveRefs } from './ref-backend.ts'
import { isSameLog, logBytes } from './stash-log.ts'

/** Of a stash that becomes the newest again. `work`: its ref. `now`: ms UTC. */
export function stashWork(refs: LiveRefs, work: GitWork, title: string, now: number): GitWork {
  const log = refs.stashLog()
  const time = Math.floor(now / 1000)
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

/** What is to be written after `failed`, as if that were not before it. */
export function chainWithout(failed: GitWork, rest: readonly GitWork[]): GitWork[] {
  if (failed.kind !== 'stash' || !failed.log) return [...rest]
  const before = { ...failed, to: failed.from, log: { from: null, to: failed.log.from } }
  return chainStashes([before, ...rest]).slice(1)
}

function afterStash(item: GitWork, before: GitWork): GitWork {
  const line = bytesOf(item.log?.to).subarray(bytesOf(item.log?.from).length).toString('utf8')
  const former = item.from === '' ? '0'.repeat(item.to.length) : item.from
  const log = Buffer.concat([
    bytesOf(before.log?.to),
    Buffer.from(line.replace(former, before.to || '0'.repeat(item.to.length)))
  ])
  return { ...item, from: before.to, log: { from: before.log?.to ?? null, to: log.toString('base64') } }
}

/** Whether the reflog is as one of `works` begins or leaves it: of several, some may be written. */
export function knowsStashLog(refs: LiveRefs, works: readonly GitWork[]): boolean {
  const now = refs.stashLog()
  return works.some(({ log }) => log && [log.from, log.to].some((text) => isSameLog(now, text)))
}

/**
 * Of several stashes, an interrupted restore may have written later ones, too, or none: the newest is another one then,
 * and the reflog says whether this one is written.
 */
export function isStashPassed(refs: LiveRefs, { name, from, log }: GitWork): boolean {
  if (!log || refs.read(name) === from) return false
  const now = refs.stashLog() ?? Buffer.alloc(0)
  const [before, after] = [bytesOf(log.from), bytesOf(log.to)]
  return after.length > before.length ? beginsWith(now, after) : beginsWith(after, now)
}

function bytesOf(text: string | null | undefined): Buffer {
  return logBytes(text ?? '') ?? Buffer.alloc(0)
}

function beginsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}
