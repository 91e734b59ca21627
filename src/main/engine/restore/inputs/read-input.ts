/** Reads the input of a plan for any request: one function per kind. */
import { DriftlineError } from '../../../../contract/errors.ts'
import type { FileVersion } from '../../../../contract/log.ts'
import type { PlanWarning, Resolutions, RestoreRequest } from '../../../../contract/restore.ts'
import { onlyGitText } from '../../../../contract/words/plan.ts'
import { beforeDriftTitle, runTitle } from '../../../../contract/words/targets.ts'
import { findDrift } from '../../drift/drifts.ts'
import { attributionWarnings } from '../../runs/run-warnings.ts'
import { editsOfRun } from '../../store/edit-calls.ts'
import { type EditRow, seqsOfDrift, seqsOfRestore } from '../../store/edits.ts'
import { createHistoryReader } from '../../store/history-reader.ts'
import type { WorktreeFile } from '../../store/import-files.ts'
import type { Store } from '../../store/open-store.ts'
import { findNextRedo, findNextUndo, findRestore } from '../../store/restores.ts'
import { findRun } from '../../store/runs.ts'
import { readTogether } from '../../store/sql.ts'
import { recordedHead, resolveTarget } from '../../store/targets.ts'
import { versionAt } from '../../store/version-at.ts'
import type { PlanInput } from '../plan-items.ts'
import type { RestoreContext, RestoreOfGit } from '../restore-context.ts'
import { applyInput } from './apply-bundle.ts'
import { withDatabaseFiles } from './database-files.ts'
import { recoverInput } from './recover-input.ts'
import { DEFAULTS, type KindInput, type RequestInput, type RequestOf } from './request-input.ts'
import { restoreInput } from './restore-input.ts'
import { undoEdits } from './undo-edits.ts'
import { worktreeInput } from './worktree-input.ts'

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
  /** For an undo: restores of git by itself are no restores of files. */
  readonly restoreOfGit: RestoreOfGit | null
}

/** Where no review is open. */
export function noBundle(id: string): never {
  throw new DriftlineError('NotAWorkspace', 'That review was closed. Open its bundle again.', { workspace: id })
}

const NO_SOURCES: Sources = { bundleOf: noBundle, files: [], restoreOfGit: null }

/** Of a request to this folder. Throws UnknownTarget. */
export async function sourcesOf(
  { bundle, filesOfWorktree, gitPart }: Pick<RestoreContext, 'bundle' | 'filesOfWorktree' | 'gitPart'>,
  request: RestoreRequest
): Promise<Sources> {
  return {
    bundleOf: bundle,
    files: request.kind === 'worktree' ? await filesOfWorktree(request.worktree) : [],
    restoreOfGit: request.kind === 'undo' ? gitPart.newestRestore() : null
  }
}

function readKind(store: Store, request: RestoreRequest, { bundleOf, files, restoreOfGit }: Sources): KindInput {
  switch (request.kind) {
    case 'restore':
      return restoreInput(store, request)
    case 'undo-run':
      return undoRunInput(store, request)
    case 'undo':
    case 'redo':
      return undoInput(store, request.kind, restoreOfGit)
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
function undoInput(store: Store, kind: 'undo' | 'redo', restoreOfGit: RestoreOfGit | null): KindInput {
  const row = kind === 'undo' ? findNextUndo(store) : findNextRedo(store)
  if (!row) {
    const message = kind === 'undo' ? 'There is no restore to undo.' : 'There is no undone restore to redo.'
    throw new DriftlineError('Refused', restoreOfGit ? onlyGitText(restoreOfGit.items) : message, { nothing: true })
  }
  const edits = store.records.editsBySeq(seqsOfRestore(store, row.id))
  const titled = kind === 'redo' && row.undoes ? (findRestore(store, row.undoes) ?? row) : row
  return {
    paths: undoEdits(store, { edits, selection: {}, foreignCause: 'after-restore' }),
    title: titled.title,
    target: row.id,
    targetAt: row.at,
    undoes: row.id,
    warnings: restoreOfGit && restoreOfGit.at > row.at ? [{ code: 'git-restored', items: restoreOfGit.items }] : []
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
