/** Checks a store against its own rules: database, log chain, and every content against its hash. */
import { sameVersion } from '../log/same-version.ts'
import type { Store } from '../store/open-store.ts'

export interface StoreProblem {
  readonly code: 'Database' | 'Log' | 'Content'
  readonly message: string
  /** The content that is damaged. */
  readonly content?: number
}

const PAUSE_EVERY = 200

/** Read-only. `deep` also unpacks and hashes all content. Lets other work in between. */
export async function checkStore(store: Store, deep: boolean): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = []
  const { db, records } = store
  const quick = db.pragma('quick_check') as { quick_check: string }[]
  for (const { quick_check: message } of quick) if (message !== 'ok') problems.push({ code: 'Database', message })
  for (const row of db.pragma('foreign_key_check') as { table: string }[])
    problems.push({ code: 'Database', message: `a row of ${row.table} refers to one that is missing` })

  // [LG-2] Each Edit starts from what the one before it left; the head is what the last one left.
  const heads = db.prepare('SELECT id, name, version, edit FROM path WHERE edit <> 0').all() as {
    id: number
    name: string
    version: number
    edit: number
  }[]
  for (const [i, head] of heads.entries()) {
    const edits = records.editsOf(head.id)
    if (edits[0]?.seq !== head.edit)
      problems.push({ code: 'Log', message: `the newest state of ${head.name} is not its last recorded change` })
    for (let at = 0; at + 1 < edits.length; at++) {
      const [later, earlier] = [edits[at], edits[at + 1]]
      if (later && earlier && later.before !== earlier.after && !sameKept(store, later.before, earlier.after)) {
        problems.push({
          code: 'Log',
          message: `change ${later.seq} of ${head.name} does not start where change ${earlier.seq} ended`
        })
      }
    }
    if (i % PAUSE_EVERY === 0) await pause()
  }
  if (!deep) return problems
  const ids = db.prepare('SELECT id FROM content WHERE hash IS NOT NULL AND codec <> 9').all() as { id: number }[]
  for (const [i, { id }] of ids.entries()) {
    const wrong = store.content.verify(id)
    if (wrong) {
      const user = db
        .prepare('SELECT p.name FROM version v JOIN path p ON p.version = v.id WHERE v.content = ? LIMIT 1')
        .get(id) as { name: string } | undefined
      problems.push({ code: 'Content', message: user ? `${user.name}: ${wrong}` : wrong, content: id })
    }
    if (i % PAUSE_EVERY === 0) await pause()
  }
  return problems
}

/** A version whose bytes were kept later by a guard (RS-9) is the same state under another row. */
function sameKept(store: Store, a: number, b: number): boolean {
  const [before, after] = [store.records.version(a), store.records.version(b)]
  return (
    sameVersion(before, after) ||
    (before.kind === after.kind &&
      before.size === after.size &&
      (before.notStored !== null || after.notStored !== null))
  )
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
