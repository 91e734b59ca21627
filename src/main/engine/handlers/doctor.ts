/** Verifying what is kept, and giving space back. */
import { statSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
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
    return open.lock.run(async () => collect(open.store, dryRun))
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
function collect(store: Store, dryRun: boolean): { freedBytes: number; pruned: string[] } {
  const { db } = store
  const size = (): number =>
    ['', '-wal'].reduce((sum, suffix) => sum + (statSync(store.file + suffix, { throwIfNoEntry: false })?.size ?? 0), 0)
  const orphans = `SELECT c.id, c.size FROM content c WHERE NOT EXISTS (SELECT 1 FROM version v WHERE v.content = c.id)
    AND NOT EXISTS (SELECT 1 FROM content d WHERE d.base = c.id)`
  const copying = store.meta('coverage') === 'copying'
  const rows = copying ? [] : (db.prepare(orphans).all() as { id: number; size: number }[])
  const pruned = rows.map((row) => `content ${row.id}`)
  if (dryRun) return { freedBytes: rows.reduce((sum, row) => sum + row.size, 0), pruned }
  const before = size()
  if (rows.length > 0) {
    write(db, () => {
      const drop = db.prepare('DELETE FROM content WHERE id = ?')
      for (const row of rows) drop.run(row.id)
      bumpRev(db)
    })
  }
  db.pragma('incremental_vacuum')
  db.pragma('wal_checkpoint(TRUNCATE)')
  return { freedBytes: Math.max(0, before - size()), pruned }
}
