/**
 * Checks the integrity of a store: the database, the log, and with `deep` every row against the indexes that have its
 * values, every stored content against its hash and every text of a conversation against its checksum. It changes
 * nothing but the marks of damage.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DoctorFinding } from '../../../contract/doctor.ts'
import { recordDamage } from '../checkpoints/damage.ts'
import { isContained } from '../files/paths.ts'
import { sameVersion } from '../log/same-version.ts'
import { placesOfContent } from '../store/edits.ts'
import { checkIntegrity } from '../store/maintenance.ts'
import type { Store } from '../store/open-store.ts'
import { damageOfPacked } from '../store/packed-paths.ts'
import { type EditedPath, editedPaths, pathNames } from '../store/paths.ts'
import { contentsOfOtherSize, storedContents } from '../store/retention-queries.ts'
import { checkSchema } from '../store/schema-check.ts'
import { transact } from '../store/sql.ts'
import { checkConversations } from './conversations.ts'

type StoreProblem = Extract<
  DoctorFinding,
  { readonly code: 'Database' | 'Log' | 'Base' | 'Path' | 'Content' | 'Conversation' }
>

/** Places listed of one damaged content. */
const MOST_PLACES = 20

/**
 * Rows checked between two pauses, in which other work of this thread runs: edits are recorded and contents evicted
 * meanwhile. So each page of rows is read and checked in one turn.
 */
const ROWS_PER_PAGE = 200

export async function checkStore(store: Store, deep: boolean): Promise<StoreProblem[]> {
  const found = [...checkSchema(store), ...checkIntegrity(store, deep)]
  const problems = found.map((detail): StoreProblem => ({ code: 'Database', detail }))
  const damage = damageOfPacked(store)
  // Nothing that names a path can be read then.
  if (damage !== null) return [...problems, { code: 'Database', detail: damage }]
  problems.push(...checkPaths(store))
  problems.push(...(await checkLog(store)))
  if (deep) problems.push(...(await checkContents(store)), ...(await checkConversations(store)))
  return problems
}

/**
 * [LG-2] Each edit of a path starts with the version that the edit before it produced; the head is the newest edit's.
 */
async function checkLog(store: Store): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = []
  for (let after = 0; ; await nextTurn()) {
    const heads = editedPaths(store, after, ROWS_PER_PAGE)
    problems.push(...heads.flatMap((head) => editProblems(store, head)))
    if (heads.length < ROWS_PER_PAGE) return problems
    after = heads.at(-1)?.id ?? after
  }
}

function editProblems(store: Store, head: EditedPath): StoreProblem[] {
  const problems: StoreProblem[] = []
  // Newest first.
  const edits = store.records.editsOf(head.id)
  if (edits[0]?.seq !== head.edit) problems.push({ code: 'Log', path: head.name, edits: null })
  const seqs = new Set([0, ...edits.map(({ seq }) => seq)])
  for (const { seq, base, movedFrom } of edits) {
    if (base >= seq || !seqs.has(base)) problems.push({ code: 'Base', path: head.name, edit: seq, base })
    const moved = movedFrom === null ? 0 : seqBeforeDeparture(store, movedFrom)
    if (moved === null || moved >= seq) problems.push({ code: 'Base', path: head.name, edit: seq, base: moved ?? 0 })
  }
  for (let at = 0; at + 1 < edits.length; at++) {
    const [later, earlier] = [edits[at], edits[at + 1]]
    if (later && earlier && later.before !== earlier.after && !isSameVersion(store, later.before, earlier.after))
      problems.push({ code: 'Log', path: head.name, edits: [earlier.seq, later.seq] })
  }
  return problems
}

/** [LG-7] The edit before the one by which a path lost its content, 0 = none; null if that one is missing. */
function seqBeforeDeparture({ records }: Store, departure: number): number | null {
  const path = records.pathOfEdit(departure)
  return path === null ? null : (records.editBefore(path, departure)?.seq ?? 0)
}

/** [CP-4] Names that no folder has: absolute ones, `..`, a NUL. The file was prepared or changed by another program. */
function checkPaths(store: Store): StoreProblem[] {
  return pathNames(store)
    .filter(({ name }) => !isContained(name))
    .map(({ name }) => ({ code: 'Path', path: name }))
}

/** [RS-18] Damage is marked, and a mark whose content can be read again is removed. */
async function checkContents(store: Store): Promise<StoreProblem[]> {
  const damaged = contentsOfOtherSize(store)
  const isWhole = store.content.verifier()
  for (let after = 0, more = true; more; ) {
    const ids = storedContents(store, after, ROWS_PER_PAGE)
    damaged.push(...ids.filter((id) => !isWhole(id) && !damaged.includes(id)))
    after = ids.at(-1) ?? after
    more = ids.length === ROWS_PER_PAGE
    if (more) await nextTurn()
  }
  transact(store, (tx) => tx.content.unmarkDamaged(damaged))
  recordDamage(store, damaged)
  return damaged.map((id) => {
    const affected = placesOfContent(store, id)
    return { code: 'Content', affected: affected.slice(0, MOST_PLACES), count: affected.length }
  })
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
