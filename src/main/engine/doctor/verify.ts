/** Checks the integrity of a store: the database, the log, and with `deep` every stored content against its hash. Read-only. */
import { sameVersion } from '../log/same-version.ts'
import { EVICTED_CODEC } from '../store/codec.ts'
import type { Store } from '../store/open-store.ts'

export interface StoreProblem {
  readonly code: 'Database' | 'Log' | 'Content'
  readonly message: string
  /** Id of the damaged content. */
  readonly content?: number
}

/** Rows checked between two pauses, in which other work of this thread runs. */
const ROWS_PER_STEP = 200

export async function checkStore(store: Store, deep: boolean): Promise<StoreProblem[]> {
  const problems = checkDatabase(store)
  problems.push(...(await checkLog(store)))
  if (deep) problems.push(...(await checkContents(store)))
  return problems
}

/** SQLite's own checks. `quick_check` leaves out that indexes match their tables, which takes most of the time of `integrity_check`. */
function checkDatabase({ db }: Store): StoreProblem[] {
  const messages = (db.pragma('quick_check') as { quick_check: string }[])
    .map((row) => row.quick_check)
    .filter((message) => message !== 'ok')
  for (const { table } of db.pragma('foreign_key_check') as { table: string }[])
    messages.push(`a row in table ${table} refers to a missing row`)
  return messages.map((message) => ({ code: 'Database', message }))
}

/** [LG-2] Each edit of a path starts with the version that the edit before it produced; the head is the newest edit's. */
async function checkLog(store: Store): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = []
  const { db, records } = store
  const heads = db.prepare('SELECT id, name, edit FROM path WHERE edit <> 0').all() as {
    id: number
    name: string
    edit: number
  }[]
  for (const [i, head] of heads.entries()) {
    // Newest first.
    const edits = records.editsOf(head.id)
    if (edits[0]?.seq !== head.edit)
      problems.push({ code: 'Log', message: `the current version of ${head.name} is not from its last recorded edit` })
    for (let at = 0; at + 1 < edits.length; at++) {
      const [later, earlier] = [edits[at], edits[at + 1]]
      if (later && earlier && later.before !== earlier.after && !isSameVersion(store, later.before, earlier.after)) {
        const message = `edit ${later.seq} of ${head.name} does not start where edit ${earlier.seq} ended`
        problems.push({ code: 'Log', message })
      }
    }
    if (i % ROWS_PER_STEP === 0) await pause()
  }
  return problems
}

async function checkContents(store: Store): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = []
  const { db } = store
  const ids = db
    .prepare('SELECT id FROM content WHERE hash IS NOT NULL AND codec <> ?')
    .pluck()
    .all(EVICTED_CODEC) as number[]
  const headWith = db
    .prepare('SELECT p.name FROM version v JOIN path p ON p.version = v.id WHERE v.content = ? LIMIT 1')
    .pluck()
  for (const [i, id] of ids.entries()) {
    const damage = store.content.verify(id)
    if (damage) {
      const path = headWith.get(id) as string | undefined
      problems.push({ code: 'Content', message: path === undefined ? damage : `${path}: ${damage}`, content: id })
    }
    if (i % ROWS_PER_STEP === 0) await pause()
  }
  return problems
}

/** Two rows may describe the same version: a guard stores content later that could not be stored when it was recorded (RS-9). */
function isSameVersion(store: Store, a: number, b: number): boolean {
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
