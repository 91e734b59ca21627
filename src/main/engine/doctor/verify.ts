/**
 * Checks the integrity of a store: the database, the log, and with `deep` every stored content against its hash.
 * Read-only.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sameVersion } from '../log/same-version.ts'
import { checkIntegrity } from '../store/maintenance.ts'
import type { Store } from '../store/open-store.ts'
import { editedPaths, pathHolding } from '../store/paths.ts'
import { storedContents } from '../store/retention-queries.ts'

interface StoreProblem {
  readonly code: 'Database' | 'Log' | 'Content'
  readonly message: string
  /** Id of the damaged content. */
  readonly content?: number
}

/** Rows checked between two pauses, in which other work of this thread runs. */
const ROWS_PER_STEP = 200

export async function checkStore(store: Store, deep: boolean): Promise<StoreProblem[]> {
  const problems = checkIntegrity(store).map((message): StoreProblem => ({ code: 'Database', message }))
  problems.push(...(await checkLog(store)))
  if (deep) problems.push(...(await checkContents(store)))
  return problems
}

/**
 * [LG-2] Each edit of a path starts with the version that the edit before it produced; the head is the newest edit's.
 */
async function checkLog(store: Store): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = []
  const { records } = store
  for (const [i, head] of editedPaths(store).entries()) {
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
    if (i % ROWS_PER_STEP === 0) await nextTurn()
  }
  return problems
}

async function checkContents(store: Store): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = []
  for (const [i, id] of storedContents(store).entries()) {
    const damage = store.content.verify(id)
    if (damage) {
      const path = pathHolding(store, id)
      problems.push({ code: 'Content', message: path === null ? damage : `${path}: ${damage}`, content: id })
    }
    if (i % ROWS_PER_STEP === 0) await nextTurn()
  }
  return problems
}

/**
 * Two rows may describe the same version: a guard stores content later that could not be stored when it was recorded
 * (RS-9).
 */
function isSameVersion(store: Store, a: number, b: number): boolean {
  const [before, after] = [store.records.version(a), store.records.version(b)]
  return (
    sameVersion(before, after) ||
    (before.kind === after.kind &&
      before.size === after.size &&
      (before.notStored !== null || after.notStored !== null))
  )
}
