/**
 * [RS-7] First step of recovering an interrupted restore: makes log and disk agree again. Paths it has written become
 * its edits; a path that is neither the old nor the new version is recorded as an outside edit, and so becomes a
 * conflict; its temporary files are removed. No path of the project is written. Afterwards Finish and Undo are ordinary
 * plans.
 *
 * Idempotent: a recovery that is interrupted itself runs it again.
 */
import { readdirSync, rmdirSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { append } from '../capture/append.ts'
import { type Observation, observe, withRecordedMode } from '../capture/observe.ts'
import { ORDINARY_EDITS, outsideAuthor, refreshOpenDrift } from '../drift/drifts.ts'
import { ifReadable, isNotFound } from '../files/fs-errors.ts'
import { eachWhenFree, isInUse, type Patience } from '../files/in-use.ts'
import { foldersAbove, OWN_PREFIX } from '../files/paths.ts'
import { inRealFolder } from '../files/pinned-folder.ts'
import { unlinkAny } from '../files/read-only.ts'
import { lstatSignature, sameSignature } from '../files/signature.ts'
import { createWorkspaceFs, type WorkspaceFs } from '../files/workspace-fs.ts'
import { sameVersion } from '../log/same-version.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { itemNumbers, itemsOfRestore, markWritten, type RestoreItemRow } from '../store/restore-items.ts'
import { blockingRestore, findRestore, markInterrupted } from '../store/restores.ts'
import { transact, type Writable } from '../store/sql.ts'
import { changingFolders, NEW_FOLDER_MODE } from './apply-state.ts'
import { disposeOfAside } from './aside.ts'
import { fsErrorText } from './fs-error-reason.ts'
import { WITHOUT_LIMIT } from './guard.ts'
import { linkMoves, restoreEdits } from './record.ts'
import type { RestoreContext } from './restore-context.ts'

/** Throws Refused when a temporary file cannot be removed or moved back. `patience`: for files in use [RS-15]. */
export async function settleInterrupted(context: RestoreContext, id: string, patience: Patience): Promise<void> {
  const { store, root } = context
  const items = itemsOfRestore(store, id).filter((item) => item.action !== 'keep')
  const finishes = findRestore(store, id)?.finishes ?? null
  const numbers = finishes === null ? null : itemNumbers(store, finishes)
  await cleanUpTemporaryFiles(context, id, items, patience)
  const observed: ObservedItem[] = []
  let bytes = 0
  const flush = (): void => {
    transact(store, (tx) => {
      const appendEdit = restoreEdits(tx, finishes ?? id)
      for (const each of observed) settleItem(tx, root, { id, finishes, numbers, appendEdit }, each)
    })
    for (const { observation } of observed.splice(0)) observation.large?.abandon()
    bytes = 0
  }
  const settle = (item: RestoreItemRow, evenUnreadable = false): void => {
    const readAt = context.now()
    const observation = observe(createWorkspaceFs(root), store.content, item.path, { ...WITHOUT_LIMIT, readAt })
    if (observation.inUse && !evenUnreadable) throw observation.inUse
    observed.push({ item, observation, readAt })
    bytes += observation.bytes?.length ?? 0
    if (observation.large || bytes >= BATCH_BYTES || observed.length >= BATCH_ITEMS) flush()
  }
  await eachWhenFree(
    patience,
    items,
    (item) => settle(item),
    (item, error) => {
      if (!isInUse(error)) throw error
      settle(item, true)
    }
  )
  flush()
  transact(store, (tx) => {
    linkMoves(tx, finishes ?? id)
    markInterrupted(tx, id)
  })
}

interface Settling {
  readonly id: string
  /** The restore that this one was to finish, and the numbers of its items by path. */
  readonly finishes: string | null
  readonly numbers: ReadonlyMap<string, number> | null
  readonly appendEdit: ReturnType<typeof restoreEdits>
}

interface ObservedItem {
  readonly item: RestoreItemRow
  readonly observation: Observation
  /** ms UTC */
  readonly readAt: number
}

/** Each transaction waits for the disk: with one for each file, recovering 2,000 took half a minute. */
const BATCH_ITEMS = 500
const BATCH_BYTES = 16 * 1024 * 1024

/** Records what the restore did to one path, or that it is neither the old nor the new version. */
function settleItem(
  tx: Writable<Store>,
  root: string,
  { id, finishes, numbers, appendEdit }: Settling,
  { item, observation, readAt }: ObservedItem
): void {
  const head = tx.records.head(item.path)
  const present = head?.version == null ? null : tx.records.version(head.version)
  const onDisk =
    present && head
      ? withRecordedMode(observation.version, observation.signature, present, head.signature)
      : observation.version
  if (present && sameVersion(present, onDisk)) {
    if (observation.signature?.kind !== 'dir' && head)
      tx.records.setSignature(head.id, observation.signature, observation.statAt)
    return
  }
  const [before, after] = [tx.records.version(item.before), tx.records.version(item.after)]
  // A folder gets its recorded mode in a late phase; with the mode of a new one it still is the restore's work.
  const halfMade =
    after.kind === 'dir' &&
    before.kind !== 'dir' &&
    observation.version.kind === 'dir' &&
    (observation.version.mode & 0o777) === NEW_FOLDER_MODE
  if (halfMade || sameVersion(after, onDisk)) {
    const made = halfMade ? tx.records.addVersion(observation.version, null) : item.after
    appendEdit({ ...item, after: made }, observation, readAt)
    markWritten(tx, id, item.n)
    const finished = numbers?.get(item.path)
    if (finishes !== null && finished !== undefined) markWritten(tx, finishes, finished)
  } else {
    const author = () => outsideAuthor(tx, ORDINARY_EDITS, readAt)
    const { edits } = append(tx, root, [observation], { author, at: readAt })
    for (const { seq } of edits) refreshOpenDrift(tx, seq)
  }
  bumpRev(tx)
}

/**
 * Deletes staged files. What was moved aside returns to its path if that is free; otherwise the part the log holds is
 * deleted, and the rest gets a visible name.
 */
async function cleanUpTemporaryFiles(
  { store, root }: RestoreContext,
  id: string,
  items: readonly RestoreItemRow[],
  patience: Patience
): Promise<void> {
  const prefix = `${OWN_PREFIX}${id}-`
  const folders = new Set<string>([''])
  for (const item of items) for (const folder of foldersAbove(item.path)) folders.add(folder)
  const byNumber = new Map(items.map((item) => [item.n, item]))
  const versionOf = store.records.versionsById(items.map(({ before }) => before))
  const recorded = new Map(items.map(({ path, before }) => [path, versionOf(before)]))
  const versionAfter = store.records.versionsById(items.map(({ after }) => after))
  const changing = changingFolders(
    items.map(({ path, before, after }) => ({ path, before: versionOf(before), after: versionAfter(after) }))
  )
  const cleanUpIn = async (folder: WorkspaceFs): Promise<void> => {
    let inUse: unknown = null
    for (const name of namesIn(folder.absolute(''))) {
      if (!name.startsWith(prefix)) continue
      const item = byNumber.get(Number.parseInt(name.slice(prefix.length), 10))
      try {
        if (item && name.endsWith('.old'))
          await disposeOfAside(folder, { aside: name, path: item.path, recorded, changing })
        else removeStagedEntry(folder.absolute(name))
      } catch (error) {
        if (!isInUse(error)) throw error
        inUse = error
      }
    }
    if (inUse) throw inUse
  }
  await eachWhenFree(
    patience,
    [...folders].map((path) => ({ path })),
    // A folder that was replaced by a link leads out of the workspace (CP-4).
    async ({ path }) => void (await inRealFolder(root, path, cleanUpIn)),
    ({ path }, error) => {
      throw cleanUpError(path, error)
    }
  )
}

/** A file, a link, or a folder that is still empty. */
function removeStagedEntry(location: string): void {
  if (lstatSignature(location)?.kind === 'dir') rmdirSync(location)
  else unlinkAny(location)
}

function cleanUpError(folder: string, error: unknown): DriftlineError {
  const where = folder === '' ? 'the folder' : folder
  return new DriftlineError(
    'Refused',
    `Couldn't clean up after the interrupted restore in ${where}: ${fsErrorText(error)}. Nothing is lost. Fix this, then finish or undo the restore.`,
    { folder }
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

/** For the status: how many paths the restore has written, by their stats alone; null when none was interrupted. */
export function interruptedRestore(
  context: Pick<RestoreContext, 'store' | 'root'>
): WorkspaceStatus['interruptedRestore'] {
  const { store, root } = context
  const row = blockingRestore(store)
  if (!row?.abandoned) return null
  const items = itemsOfRestore(store, row.id).filter((item) => item.action !== 'keep')
  const fs = createWorkspaceFs(root)
  const isWritten = (item: RestoreItemRow): boolean => ifReadable(() => looksWritten(store, fs, item)) ?? false
  return { id: row.id, written: items.filter(isWritten).length, total: items.length }
}

/** What a restore writes has its kind, size and mode, and another stat than what was recorded before. */
function looksWritten({ records }: Store, fs: WorkspaceFs, { path, after }: RestoreItemRow): boolean {
  const version = records.version(after)
  const now = fs.stat(path)
  if (!now || now.kind !== version.kind) return now === null && version.kind === 'absent'
  if (now.kind !== 'symlink' && now.mode !== version.mode) return false
  if (now.kind === 'dir') return true
  if (now.kind === 'file' && now.size !== version.size) return false
  const head = records.head(path)
  return head?.version === after || !head?.signature || !sameSignature(head.signature, now)
}
