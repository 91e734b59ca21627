/**
 * What is durable before the first write (RS-3): everything the plan will replace is stored (RS-9), so that the guard
 * checkpoint can restore it; the plan is still valid (RS-2); and the guard and the journal are written.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import type { RestoreRequest } from '../../../contract/restore.ts'
import { storeContent } from '../capture/append.ts'
import { observe, observeWhenFree } from '../capture/observe.ts'
import type { RecordingContext } from '../capture/reconcile.ts'
import { addCheckpoint } from '../checkpoints/checkpoints.ts'
import type { Merge } from '../diff/provenance.ts'
import type { Patience } from '../files/in-use.ts'
import { sameSignature } from '../files/signature.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import type { ProcessId } from '../ports/processes.ts'
import { newId } from '../store/ids.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
import { type GitWork, insertRestoreGit } from '../store/restore-git.ts'
import { insertRestoreItems } from '../store/restore-items.ts'
import { insertOmissions } from '../store/restore-omissions.ts'
import { insertRestore, unfinishedRestores } from '../store/restores.ts'
import { transact, type Writable } from '../store/sql.ts'
import type { StoredVersion, VersionId } from '../store/versions.ts'
import type { ApplyItem } from './apply-state.ts'
import { journalConversation, type ModePlan } from './conversation.ts'
import type { RequestInput } from './inputs/request-input.ts'
import type { PlannedItem } from './plan-items.ts'
import type { ChangedFile } from './plan-warnings.ts'
import { changedSincePreview, planStale } from './preflight.ts'
import type { RestoreContext } from './restore-context.ts'

/**
 * [RS-2] Throws when another process has recorded or started something since the plan was made. In the journal's
 * transaction: no other process can write between this check and the journal. `stored`: by path, the versions that
 * `storeReplacedContent` created; they are no change. Returns the heads of the paths.
 */
export function refuseIfStale(
  tx: Writable<Store>,
  work: readonly PlannedItem[],
  stored: ReadonlyMap<string, VersionId>,
  recovered: readonly string[]
): ReadonlyMap<string, Head | null> {
  const restore = unfinishedRestores(tx).find((row) => !recovered.includes(row.id))
  if (restore) {
    const message = 'Another restore has just started. This one wrote nothing; retry when the other is done.'
    throw new DriftlineError('Refused', message, { restore: restore.id })
  }
  const targetOf = ({ after }: PlannedItem): VersionId | null => ('id' in after ? (after as StoredVersion).id : null)
  const lostTarget = tx.records.findLost(work.flatMap((item) => targetOf(item) ?? []))
  const lost = lostTarget === null ? undefined : work.find((item) => targetOf(item) === lostTarget)
  if (lost) throw planStale(`The target version of ${lost.path} is no longer stored`, { paths: [lost.path] })
  const headOf = tx.records.headsInOrder(work.map(({ path }) => path))
  const heads = new Map(work.map(({ path }) => [path, headOf(path)]))
  const changed = work.filter((item) => {
    const planned =
      stored.get(item.path) ?? ('id' in item.before ? (item.before as StoredVersion).id : tx.records.absent)
    return (heads.get(item.path)?.version ?? tx.records.absent) !== planned
  })
  if (changed.length > 0) throw changedSincePreview(changed.map((item) => item.path))
  return heads
}

/** Observes files of any size. */
export const WITHOUT_LIMIT = { limit: Number.POSITIVE_INFINITY, folderReason: null }

/**
 * [RS-9] Stores the content of every file that will be overwritten or deleted, whatever its size, if it is not stored
 * yet. Returns the versions created for that, by path. Throws Refused for content that cannot be stored, PlanStale for
 * a file that changed.
 */
export async function storeReplacedContent(
  context: RecordingContext,
  work: readonly PlannedItem[],
  patience: Patience
): Promise<Map<string, VersionId>> {
  const { store, root } = context
  const stored = new Map<string, VersionId>()
  const fs = createWorkspaceFs(root)
  for (const item of work) {
    if (item.before.kind !== 'file' || item.before.notStored === null || !item.storable) continue
    const read = () => observe(fs, store.content, item.path, { ...WITHOUT_LIMIT, readAt: context.now() })
    const observation = await observeWhenFree(patience, read)
    if (observation.version.notStored !== null || observation.version.kind !== 'file') throw cannotStore(item)
    transact(store, (tx) => {
      const { records } = tx
      const head = records.head(item.path) as Head
      // [CK-1] Only the very file that was recorded may supply the content: a later one was part of no position.
      if (!head.signature || !observation.signature || !sameSignature(head.signature, observation.signature))
        throw changedSincePreview([item.path])
      // The same version, now with content: no edit, so the head keeps its position.
      const version = records.addVersion(observation.version, storeContent(tx, observation, null))
      records.setHead(head.id, version, 0, observation.signature, observation.statAt)
      stored.set(item.path, version)
    })
  }
  return stored
}

/** Content that a bundle sends is stored before the journal names it; one that no version names is swept. */
export async function storeSentContent(
  store: Store,
  { paths }: RequestInput,
  work: readonly PlannedItem[]
): Promise<void> {
  const sent = new Map(paths.flatMap(({ path, sent }) => (sent ? [[path, sent] as const] : [])))
  for (const { path, after, merged } of work) {
    if (!sent.has(path)) continue
    const hash = after.kind === 'file' && !merged && after.hash !== null ? Buffer.from(after.hash, 'hex') : null
    if (!hash || store.content.find(hash) !== null) continue
    const bytes = sent.get(path)?.read('after')
    if (!bytes) continue
    if (bytes.length > LARGE) {
      const writer = store.content.createLargeWriter()
      writer.add(bytes)
      writer.finish()
    } else transact(store, ({ content }) => content.put(bytes, hash, null))
    await nextTurn()
  }
}

/** Larger content is written in chunks, bytes. */
const LARGE = 1024 * 1024

function cannotStore({ path }: PlannedItem): DriftlineError {
  const message = `Couldn't store the current content of ${path} first. Nothing was written.`
  return new DriftlineError('Refused', message, { path })
}

/** What the journal of a restore holds. */
interface Journal {
  readonly input: RequestInput
  readonly request: RestoreRequest
  /** Hash of the plan. */
  readonly plan: string
  readonly files: readonly ChangedFile[]
  readonly modes: ModePlan
  readonly work: readonly PlannedItem[]
  readonly git: readonly GitWork[]
  /** Of the paths, from `refuseIfStale`. */
  readonly heads: ReadonlyMap<string, Head | null>
  /** Who applies the restore. */
  readonly owner: ProcessId
}

/** Writes guard, restore, items and what merges omit. Durable when the transaction commits (RS-3). */
export function writeJournal(
  tx: Writable<Store>,
  { root, now }: Pick<RestoreContext, 'root' | 'now'>,
  { input, request, plan, files, modes, work, git, heads, owner }: Journal
): { id: string; items: ApplyItem[] } {
  const { records } = tx
  const at = now()
  const guard = addCheckpoint(tx, root, { reason: 'pre_restore_guard', session: modes.to?.session ?? null }, at)
  const mergeOf = mergesOf(input)
  const rows = work.map((item) => {
    const head = heads.get(item.path) ?? null
    const before = head?.version ?? records.absent
    return { item, head, before, after: storeTargetVersion(tx, item, mergeOf(item), head) }
  })
  const id = newId('rst')
  const { title, target, undoes, finishes } = input
  const requested = { act: request.kind, title, target, undoes, finishes, to_seq: input.toSeq }
  const { mode } = modes
  insertRestore(tx, { id, ...requested, whole: input.whole ? 1 : 0, mode, guard: guard.id, at, plan }, owner)
  insertRestoreItems(
    tx,
    id,
    rows.map(({ item: { path, action, base, movedFrom }, before, after }) => ({
      path,
      action,
      before,
      after,
      base,
      movedFrom
    }))
  )
  journalConversation(tx, id, modes)
  if (git.length > 0) insertRestoreGit(tx, id, git)
  for (const { item } of rows) insertOmissions(tx, id, item.path, mergeOf(item)?.omits ?? [])
  bumpRev(tx)
  const destinations = new Map(
    work.flatMap(({ movedFrom, path }, n) => (movedFrom === null ? [] : [[movedFrom, { n, path }] as const]))
  )
  const versionOf = versionsOf(records, rows)
  const statsOf = new Map(files.map(({ item, stats }) => [item.path, stats]))
  const items = rows.map(
    ({ item, head, before, after }, n): ApplyItem => ({
      n,
      path: item.path,
      action: item.action as ApplyItem['action'],
      before: versionOf(before),
      after: versionOf(after),
      base: item.base,
      expected: head?.signature ?? null,
      stats: statsOf.get(item.path) ?? null,
      movedTo: destinations.get(item.path) ?? null
    })
  )
  return { id, items }
}

/** Of what rows of the journal are and will be: those of the plan, and what was stored since. */
function versionsOf(
  records: Store['records'],
  rows: readonly { readonly item: PlannedItem; readonly before: VersionId; readonly after: VersionId }[]
): (id: VersionId) => StoredVersion {
  const planned = rows.flatMap(({ item }) => [item.before, item.after]).filter((version) => 'id' in version)
  const known = new Map(planned.map((version) => [(version as StoredVersion).id, version as StoredVersion]))
  const ids = rows.flatMap(({ before, after }) => [before, after]).filter((id) => !known.has(id))
  const read = records.versionsById(ids)
  return (id) => known.get(id) ?? read(id)
}

/** The merge that an item writes; null for an item that writes none. */
function mergesOf({ paths }: RequestInput): (item: PlannedItem) => Merge | null {
  const merges = new Map(paths.map(({ path, merge }) => [path, merge]))
  return ({ merged, movedFrom, path }) => (merged ? (merges.get(movedFrom ?? path) ?? null) : null)
}

/**
 * The id of the version to write: a recorded one, the result of a merge, which is stored here, or a folder that was
 * never recorded.
 */
function storeTargetVersion(
  { records, content }: Writable<Store>,
  item: PlannedItem,
  merge: Merge | null,
  head: Head | null
): VersionId {
  if ('id' in item.after) return (item.after as StoredVersion).id
  if (!merge?.bytes) {
    // What a bundle sent was stored before.
    const sent = item.after.hash === null ? null : content.find(Buffer.from(item.after.hash, 'hex'))
    if (item.after.kind === 'file' && sent === null) throw planStale('A content of the bundle', { paths: [item.path] })
    return records.addVersion(item.after, sent)
  }
  const previous = head?.version == null ? null : records.version(head.version).content
  const stored = content.put(merge.bytes, Buffer.from(merge.version.hash as string, 'hex'), previous)
  return records.addVersion(merge.version, stored)
}
