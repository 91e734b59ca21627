/** Reads the input of a plan for any request: one function per kind. */
import { DriftlineError } from '../../../../contract/errors.ts'
import type { FileVersion, Seq } from '../../../../contract/log.ts'
import type { PlanWarning, Resolutions, RestoreRequest } from '../../../../contract/restore.ts'
import { beforeDriftTitle, runTitle } from '../../../../contract/words/targets.ts'
import { type Merge, mergeWithout } from '../../diff/provenance.ts'
import { findDrift } from '../../drift/drifts.ts'
import { editsInForce, walkChain } from '../../log/chain.ts'
import { isProvablySame } from '../../log/same-version.ts'
import { attributionWarnings } from '../../runs/run-warnings.ts'
import { findCheckpoint } from '../../store/checkpoints.ts'
import { editsOfRun } from '../../store/edit-calls.ts'
import { type EditRow, pathsEditedAfter, seqsOfDrift, seqsOfRestore } from '../../store/edits.ts'
import { createHistoryReader, inReadingOrder } from '../../store/history-reader.ts'
import type { WorktreeFile } from '../../store/import-files.ts'
import type { Store } from '../../store/open-store.ts'
import type { Head, PathId } from '../../store/paths.ts'
import { itemsOfRestore, type RestoreItemRow } from '../../store/restore-items.ts'
import { omissionsOf } from '../../store/restore-omissions.ts'
import { blockingRestore, findNextRedo, findNextUndo, findRestore } from '../../store/restores.ts'
import { findRun } from '../../store/runs.ts'
import { readTogether } from '../../store/sql.ts'
import { nameOf, recordedHead, resolveTarget } from '../../store/targets.ts'
import { versionAt } from '../../store/version-at.ts'
import type { StoredVersion } from '../../store/versions.ts'
import { titlesOfRunsAfter, writersOf } from '../../store/writers.ts'
import type { MoveBack, PlanInput } from '../plan-items.ts'
import type { RestoreContext } from '../restore-context.ts'
import { applyInput } from './apply-bundle.ts'
import { withDatabaseFiles } from './database-files.ts'
import type { RequestedPath, RequestInput } from './request-input.ts'
import { type DepartureOf, departuresOfRestores } from './restore-moves.ts'
import { isSelected, maybeSelected } from './selected-hunks.ts'
import { undoEdits } from './undo-edits.ts'
import { worktreeInput } from './worktree-input.ts'

/** What most kinds have in common. */
const DEFAULTS = { defaultResolution: 'keep', toSeq: null, undoes: null, finishes: null, warnings: [] } as const

/** What a kind of request decides by itself. */
type KindInput = Pick<RequestInput, 'paths' | 'title' | 'target' | 'targetAt'> &
  Partial<Pick<RequestInput, keyof typeof DEFAULTS>>

/** At the newest position. Throws UnknownTarget; Refused when there is nothing to undo, redo or recover. */
export function readInput(
  store: Store,
  request: RestoreRequest,
  resolutions: Resolutions,
  sources: Sources = NO_SOURCES
): RequestInput {
  const whole = !('paths' in request) && !('hunks' in request) && !('lines' in request)
  const named = [
    ...('paths' in request ? (request.paths ?? []) : []),
    ...('hunks' in request ? Object.keys(request.hunks ?? {}) : []),
    ...('lines' in request ? Object.keys(request.lines ?? {}) : [])
  ]
  // A bundle or a worktree may create what was never recorded here.
  if (request.kind !== 'apply' && request.kind !== 'worktree') for (const path of named) recordedHead(store, path)
  return readTogether(store, () => {
    const read = { ...DEFAULTS, ...readKind(store, request, sources) }
    const paths = OF_RECORDED.has(request.kind) ? withDatabaseFiles(store, read.paths, read.toSeq) : read.paths
    return { ...recordedTree(store), resolutions, whole, ...read, paths }
  })
}

/** What returns files to recorded versions of their own. A recovery has the files of its restore. */
const OF_RECORDED: ReadonlySet<RestoreRequest['kind']> = new Set(['restore', 'undo-run', 'undo', 'redo', 'drift'])

/** Where contents come from that are not in the log. */
export interface Sources {
  /** The history of an open review. */
  bundleOf(id: string): Store
  /** What a request of kind `worktree` writes. */
  readonly files: readonly WorktreeFile[]
}

/** Where no review is open. */
export function noBundle(id: string): never {
  throw new DriftlineError('NotAWorkspace', 'That review was closed. Open its bundle again.', { workspace: id })
}

const NO_SOURCES: Sources = { bundleOf: noBundle, files: [] }

/** Of a request to this folder. Throws UnknownTarget. */
export async function sourcesOf(
  { bundle, filesOfWorktree }: Pick<RestoreContext, 'bundle' | 'filesOfWorktree'>,
  request: RestoreRequest
): Promise<Sources> {
  return { bundleOf: bundle, files: request.kind === 'worktree' ? await filesOfWorktree(request.worktree) : [] }
}

function readKind(store: Store, request: RestoreRequest, { bundleOf, files }: Sources): KindInput {
  switch (request.kind) {
    case 'restore':
      return restoreInput(store, request)
    case 'undo-run':
      return undoRunInput(store, request)
    case 'undo':
    case 'redo':
      return undoInput(store, request.kind)
    case 'drift':
      return driftInput(store, request)
    case 'recover':
      return recoverInput(createHistoryReader(store), request.how)
    case 'apply':
      return applyInput(store, bundleOf(request.bundle), request)
    case 'worktree':
      return worktreeInput(createHistoryReader(store), request, files)
  }
}

function recordedTree(store: Store): Pick<PlanInput, 'nowOf' | 'presentIn' | 'lastFolder'> {
  const { records } = store
  /** A plan asks for the folders of each of its files. */
  const now = new Map<string, FileVersion>()
  return {
    nowOf: (path) => {
      const version = now.get(path) ?? versionAt(store, path, null)
      now.set(path, version)
      return version
    },
    presentIn: (folder) => {
      const head = records.head(folder)
      const rows = head ? records.children(head.id) : []
      return rows
        .filter(({ version }) => version !== null && records.version(version).kind !== 'absent')
        .map(({ path }) => path)
    },
    lastFolder: (path) => {
      const head = records.head(path)
      // Newest first: the edit that ended the path's last time as a folder.
      const end = head && records.editsOf(head.id).find((edit) => isEnteredFolder(store, edit))
      if (!head || !end) return null
      return { version: records.version(end.before), base: records.editBefore(head.id, end.seq)?.seq ?? 0 }
    }
  }
}

function isEnteredFolder({ records }: Store, edit: EditRow): boolean {
  const { kind, notStored } = records.version(edit.before)
  return kind === 'dir' && notStored === null
}

type RequestOf<K extends RestoreRequest['kind']> = RestoreRequest & { readonly kind: K }

/** Restoring to a position: every path that changed after it returns to its version there. */
function restoreInput(source: Store, request: RequestOf<'restore'>): KindInput {
  const target = resolveTarget(source, request.target)
  const edited = inReadingOrder(maybeSelected(source, request, pathsEditedAfter(source, target.seq)))
  const store = createHistoryReader(source, edited)
  const departureOf = departuresOfRestores(store)
  const inputs = edited.flatMap((id) => {
    const input = restorePath(store, request, id, { seq: target.seq, departureOf })
    return input ? [{ id, input }] : []
  })
  return {
    paths: inputs.map(({ input }) => input),
    defaultResolution: request.outside === 'replace' ? 'replace' : 'keep',
    title: target.title,
    target: nameOf(target),
    targetAt: target.at,
    toSeq: target.seq,
    warnings: runWarnings(store, target.seq, request.paths ? inputs.map(({ id }) => id) : null)
  }
}

/** [RS-14] Outside edits after the position are foreign. Null for a path that is not selected. */
function restorePath(
  store: Store,
  request: RequestOf<'restore'>,
  path: PathId,
  { seq, departureOf }: { readonly seq: Seq; readonly departureOf: DepartureOf }
): RequestedPath | null {
  const { records } = store
  const head = records.headById(path)
  if (head.version === null) return null
  const steps = [...walkChain(head.edit, records)]
  const move = moveBack(store, head, seq, departureOf)
  if (!isSelected(request, head.path) && !(move && isSelected(request, move.back.to))) return null
  const chain = steps.flatMap(({ edit, omitted }) => (edit.origin === 'restore' || omitted ? [] : [edit]))
  const since = chain.filter((edit) => edit.seq > seq)
  const outside = since.filter((edit) => edit.origin === 'outside')
  const own = since.filter((edit) => edit.origin !== 'outside')
  const then = versionAtSeq(store, move ? move.from : path, seq)
  // Omitting the later edits gives the target only if the rest of the chain is what was in force at the position.
  const buildsOnTarget = (): boolean => haveSameSeqs(chain.slice(since.length), editsInForce(then.base, records))
  // With a move of a person in between, the file has one name or the other: there is nothing to merge.
  const isMergeable = outside.length > 0 && own.length > 0 && outside.every(({ movedFrom }) => movedFrom === null)
  return {
    path: head.path,
    now: records.version(head.version),
    target: then.version,
    base: then.base,
    foreign: outside.map((edit) => ({ who: 'outside', title: '', at: edit.at })),
    foreignCause: 'outside-after-target',
    merge: isMergeable && buildsOnTarget() ? mergeWithout(store, head, own, outside) : null,
    own: own[0] ? records.version(own[0].after) : null,
    onlyByMerge: false,
    move: move?.back ?? null
  }
}

/** What a path was at a position, and the edit that made it. */
function versionAtSeq({ records }: Store, path: PathId, seq: Seq): { version: StoredVersion; base: number } {
  const next = records.editAfter(path, seq)
  const version = next?.before ?? records.headById(path).version ?? records.absent
  return { version: records.version(version), base: records.editBefore(path, seq + 1)?.seq ?? 0 }
}

/**
 * [RS-20] The move to the name that the file had at the position; null if it has that or began later, and if the name
 * already holds what it held.
 */
function moveBack(
  store: Store,
  head: Head,
  seq: Seq,
  departureOf: DepartureOf
): { from: PathId; back: MoveBack } | null {
  const { records } = store
  let from = head.id
  for (let at = head.edit; at > seq; ) {
    const edit = records.edit(at)
    const departure = edit.movedFrom === null ? departureOf(edit) : records.edit(edit.movedFrom)
    // A restore gave the path an earlier version, not this file an earlier name.
    if (!departure && ((edit.origin === 'restore' && !edit.merge) || isBeginning(store, edit))) return null
    from = departure?.path ?? from
    at = records.editBefore(from, departure?.seq ?? at)?.seq ?? 0
  }
  // Where a folder was, the file is younger than the position: it had no name there.
  if (from === head.id || versionAtSeq(store, from, seq).version.kind === 'dir') return null
  const to = records.headById(from).path
  const nowThere = versionAt(store, to, null)
  if (isProvablySame(nowThere, versionAtSeq(store, from, seq).version)) return null
  return { from, back: { to, nowThere, left: versionAtSeq(store, head.id, seq) } }
}

/** Whether a file began with an edit that is no arrival: the name was free, a folder, or that of a file that moved away. */
function isBeginning({ records }: Store, edit: EditRow): boolean {
  return ['absent', 'dir'].includes(records.version(edit.before).kind) || records.arrivalOf(edit.seq) !== null
}

function haveSameSeqs(a: readonly EditRow[], b: readonly EditRow[]): boolean {
  return a.length === b.length && a.every((edit, i) => edit.seq === b[i]?.seq)
}

/** Runs named in the warning. */
const MOST_RUNS = 3

/** [RS-14] Names the runs whose edits a restore to `seq` undoes, when there are several. `paths`: null for all. */
function runWarnings(store: Store, seq: Seq, paths: readonly PathId[] | null): PlanWarning[] {
  const titles = titlesOfRunsAfter(store, seq, paths)
  return titles.length < 2 ? [] : [{ code: 'undoes-runs', titles: titles.slice(0, MOST_RUNS), count: titles.length }]
}

/** Undoing a run or a turn. Only its own edits are undone; shared ones stay (GW-4). */
function undoRunInput(store: Store, request: RequestOf<'undo-run'>): KindInput {
  const target = resolveTarget(store, request.run)
  if (!target.run)
    throw new DriftlineError('UnknownTarget', `"${request.run}" is not a run or a turn.`, { target: request.run })
  const run = findRun(store, target.run)
  const { from = 0, to = Number.POSITIVE_INFINITY } = request.edits ?? {}
  const seqs = editsOfRun(store, target.run, target.turn ?? undefined).filter((seq) => seq >= from && seq <= to)
  const edits = store.records.editsBySeq(seqs)
  if (request.edits && edits.length === 0)
    throw new DriftlineError('UnknownTarget', `That run has no edits from ${from} to ${to}.`, { target: request.run })
  // [GW-4] An edit that several runs may have made is foreign to each of them.
  const own = edits.filter((edit) => edit.attribution !== 'shared')
  const { onConflict } = request
  const paths = undoEdits(store, { edits: own, selection: request, foreignCause: 'others-after-run', shown: edits })
  const undone = new Set(paths.map(({ path }) => path))
  return {
    paths,
    defaultResolution: onConflict === 'replace' || onConflict === 'merge' ? onConflict : 'keep',
    title: runTitle(run?.name ?? target.run ?? ''),
    target: target.run,
    targetAt: run?.started_at ?? null,
    warnings: [
      ...sharedWarnings(store, edits),
      ...attributionWarnings(store, target.run, target.turn, (path) => undone.has(path))
    ]
  }
}

/** Paths named in a warning. */
const MOST_PATHS = 3

/** [GW-4] Names the paths with edits that several runs may have made. */
function sharedWarnings({ records }: Store, edits: readonly EditRow[]): PlanWarning[] {
  const shared = edits.filter((edit) => edit.attribution === 'shared').map((edit) => edit.path)
  const paths = [...new Set(shared)].map((path) => records.headById(path).path)
  if (paths.length === 0) return []
  return [{ code: 'shared-edits', paths: paths.sort().slice(0, MOST_PATHS), count: paths.length }]
}

/** [RS-13] Undo and Redo: all edits of one restore are undone. A redo undoes the undo. */
function undoInput(store: Store, kind: 'undo' | 'redo'): KindInput {
  const row = kind === 'undo' ? findNextUndo(store) : findNextRedo(store)
  if (!row) {
    const message = kind === 'undo' ? 'There is no restore to undo.' : 'There is no undone restore to redo.'
    throw new DriftlineError('Refused', message, { nothing: true })
  }
  const edits = store.records.editsBySeq(seqsOfRestore(store, row.id))
  const titled = kind === 'redo' && row.undoes ? (findRestore(store, row.undoes) ?? row) : row
  return {
    paths: undoEdits(store, { edits, selection: {}, foreignCause: 'after-restore' }),
    title: titled.title,
    target: row.id,
    targetAt: row.at,
    undoes: row.id
  }
}

/** Undoing an outside change. */
function driftInput(store: Store, request: RequestOf<'drift'>): KindInput {
  const drift = findDrift(store, request.drift)
  if (!drift) {
    const message = `There is no outside change "${request.drift}".`
    throw new DriftlineError('UnknownTarget', message, { target: request.drift })
  }
  const edits = store.records.editsBySeq(seqsOfDrift(store, drift.id))
  return {
    paths: undoEdits(store, { edits, selection: request, foreignCause: 'others-after-drift' }),
    title: beforeDriftTitle(drift.count),
    target: drift.id,
    targetAt: drift.foundAt
  }
}

/**
 * Finishing or undoing an interrupted restore, read from its journal. Requires that the restore is settled: items it
 * wrote are its edits. Undo returns them to their old version, Finish writes the remaining ones. Edits after the guard
 * that are not the restore's are conflicts.
 */
function recoverInput(store: Store, how: 'finish' | 'undo'): KindInput {
  const interrupted = blockingRestore(store)
  if (!interrupted?.abandoned) throw new DriftlineError('Refused', 'No restore was interrupted.', { nothing: true })
  const { records } = store
  const { id } = interrupted
  const guardSeq = findCheckpoint(store, interrupted.guard)?.seq ?? 0
  const paths: RequestedPath[] = []
  const items = itemsOfRestore(store, id)
  const movedTo = new Map(items.flatMap(({ path, movedFrom }) => (movedFrom === null ? [] : [[movedFrom, path]])))
  for (const item of items) {
    const head = records.head(item.path)
    if (item.action === 'keep' || !head || head.version === null) continue
    const written = records.editsOf(head.id).find((edit) => edit.restore === id)
    const foreign = editsInForce(head.edit, records).filter((edit) => edit.seq > guardSeq)
    const merge = how === 'finish' ? journaledMerge(store, id, item) : null
    const baseOfUndo = written ? (records.editBefore(head.id, written.seq)?.seq ?? 0) : head.edit
    paths.push({
      path: item.path,
      now: records.version(head.version),
      target: records.version(how === 'finish' ? item.after : item.before),
      base: how === 'finish' ? item.base : baseOfUndo,
      foreign: writersOf(store, foreign),
      foreignCause: 'after-interruption',
      merge,
      own: written ? records.version(written.after) : null,
      onlyByMerge: merge !== null,
      // Each half of a move may be written already.
      move: null,
      renamedFrom: how === 'finish' ? (item.movedFrom ?? undefined) : movedTo.get(item.path)
    })
  }
  return {
    paths,
    title: interrupted.title,
    target: id,
    targetAt: interrupted.at,
    toSeq: how === 'finish' ? interrupted.to_seq : null,
    undoes: how === 'undo' ? id : null,
    finishes: how === 'finish' ? id : null
  }
}

/** The merge that the restore was about to write, or null for a plain item. */
function journaledMerge(store: Store, restore: string, item: RestoreItemRow): Merge | null {
  const omits = omissionsOf(store, restore, item.path)
  const version = store.records.version(item.after)
  if (omits.length === 0 || version.content === null) return null
  return { version, bytes: store.content.get(version.content, version.size), omits }
}
