/** Verifying what is kept, and giving space back. */
import { statSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import { coverageState } from '../capture/coverage.ts'
import { translate } from '../db/open.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { checkStore } from '../doctor/verify.ts'
import type { EngineContext } from '../engine.ts'
import { openRestore } from '../restore/journal.ts'
import type { Store } from '../store/open-store.ts'
import type { Handlers } from './table.ts'

interface Problem {
  readonly workspace: string
  readonly code: string
  readonly message: string
}

export const DOCTOR: Handlers<'doctor.run' | 'gc.run'> = {
  'doctor.run': async (context, { workspace, deep }) => {
    const problems: Problem[] = []
    for (const { id, root } of context.registry.list()) {
      if (workspace === undefined || workspace === id)
        problems.push(...(await checkOne(context, id, root, deep ?? true)))
    }
    return { ok: problems.length === 0, problems }
  },
  'gc.run': ({ registry }, { workspace, dryRun }) => {
    const open = registry.open(workspace)
    return open.lock.run(async () => collect(open.store, dryRun, open.now()))
  }
}

async function checkOne({ registry }: EngineContext, id: string, root: string, deep: boolean): Promise<Problem[]> {
  const found = (code: string, message: string): Problem => ({ workspace: root, code, message })
  try {
    const { store } = registry.open(id)
    const problems = (await checkStore(store, deep)).map((one) => found(one.code, one.message))
    if (openRestore(store)?.abandoned)
      problems.push(
        found(
          'InterruptedRestore',
          'A restore stopped half way. Run "driftline recover finish" or "driftline recover undo".'
        )
      )
    return problems
  } catch (error) {
    // A damaged or newer store is a finding, not a reason to stop looking at the others.
    const known = translate(error, id)
    if (known instanceof DriftlineError) return [found(known.code, known.message)]
    throw error
  }
}

/** Removes content nothing refers to (a writer died before it was named) and gives free pages back to the system. */
function collect(store: Store, dryRun: boolean, now: number): { freedBytes: number; pruned: string[] } {
  const { db } = store
  const size = (): number =>
    ['', '-wal'].reduce((sum, suffix) => sum + (statSync(store.file + suffix, { throwIfNoEntry: false })?.size ?? 0), 0)
  // No index helps here, which every capture would pay for: both lists are gathered once a sweep.
  const unused = `c.id NOT IN (SELECT content FROM version WHERE content IS NOT NULL)
    AND c.id NOT IN (SELECT base FROM content WHERE base IS NOT NULL)`
  const copying = coverageState(store) === 'copying'
  const orphans = db.prepare(`SELECT c.id, c.size FROM content c WHERE c.hash IS NOT NULL AND ${unused}`)
  const dead = deadStreams(store, now, dryRun)
  const rows = copying ? [] : [...(orphans.all() as { id: number; size: number }[]), ...dead]
  const pruned = rows.map((row) => `content ${row.id}`)
  if (dryRun) return { freedBytes: rows.reduce((sum, row) => sum + row.size, 0), pruned }
  const before = size()
  if (rows.length > 0) {
    write(db, () => {
      // [ST-2] Asked again inside the transaction: somebody may have begun to use it.
      db.prepare(`DELETE FROM content AS c WHERE c.id IN (SELECT value FROM json_each(?)) AND ${unused}`).run(
        JSON.stringify(rows.map((row) => row.id))
      )
      bumpRev(db)
    })
  }
  db.pragma('incremental_vacuum')
  db.pragma('wal_checkpoint(TRUNCATE)')
  return { freedBytes: Math.max(0, before - size()), pruned }
}

/** How long content that is being streamed may stand still before its writer counts as dead, ms. */
const STREAM_MS = 10 * 60_000

/** [ST-2] Unfinished content whose writer died: it has not grown between two sweeps this far apart. Remembers what it saw. */
function deadStreams(store: Store, now: number, dryRun: boolean): { id: number; size: number }[] {
  const seen = JSON.parse(store.meta('streams') ?? '[]') as { id: number; last: number; at: number }[]
  const streams = store.db
    .prepare(
      'SELECT c.id, coalesce(max(k.id), 0) AS last, coalesce(sum(length(k.bytes)), 0) AS size FROM content c LEFT JOIN chunk k ON k.content = c.id WHERE c.hash IS NULL GROUP BY c.id'
    )
    .all() as { id: number; last: number; size: number }[]
  const known = streams.map((one) => ({
    ...one,
    at: seen.find((other) => other.id === one.id && other.last === one.last)?.at ?? now
  }))
  const next = JSON.stringify(known.map(({ id, last, at }) => ({ id, last, at })))
  if (!dryRun && next !== (store.meta('streams') ?? '[]')) write(store.db, () => store.setMeta('streams', next))
  return known.filter((one) => now - one.at >= STREAM_MS)
}
