/** Diffs between positions: lists, one file, and patches. */
import type { Params } from '../../../contract/api.ts'
import type { DiffResult, FileChange, FileVersion, Seq } from '../../../contract/domain.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { type CheckpointRow, findCheckpoint } from '../checkpoints/checkpoints.ts'
import { changesBetween, changesOfRun } from '../diff/changes.ts'
import { bytesOf, describeChanges } from '../diff/counted.ts'
import { fileDiff } from '../diff/display.ts'
import { withRenames } from '../diff/moved.ts'
import { ownChange } from '../diff/own-change.ts'
import { othersBetween, ownEdits, ownFile, wholeTakenBack } from '../diff/own-file.ts'
import { formatPatch } from '../diff/patch.ts'
import type { PathChange } from '../diff/types.ts'
import { isWithin } from '../files/inside.ts'
import { lookAtFolder } from '../sessions/dead-runs.ts'
import { editsOfRun, findRun, type RunRow } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { ABSENT } from '../store/records.ts'
import { resolveTarget, type Target } from '../store/targets.ts'
import type { OpenWorkspace } from '../workspaces/open-workspace.ts'
import type { Handlers } from './table.ts'

type DiffRequest = Omit<Params<'diff.files'>, 'workspace'>

export const DIFF: Handlers<'diff.files' | 'diff.patch' | 'diff.file'> = {
  'diff.files': async ({ registry }, params) => {
    const open = registry.open(params.workspace)
    return diffOf(open, await looked(open, params))
  },
  'diff.patch': async ({ registry }, params) => {
    const open = registry.open(params.workspace)
    const request = await looked(open, params)
    const { range, changes, own } = changesFor(open.store, request)
    const { patch, omitted } = patchOf(open.store, changes)
    const warning = [
      range.warning,
      omitted.length > 0
        ? `Left out of the patch, content not kept or not git's: ${omitted.slice(0, 20).join(', ')}${omitted.length > 20 ? ' and more' : ''}.`
        : ''
    ]
    return {
      ...describe(open.store, { range, changes, own }, request),
      warning: warning.filter(Boolean).join(' '),
      patch: patch.toString('utf8')
    }
  },
  'diff.file': ({ registry }, { workspace, path, oldPath, fromSeq, toSeq, run, others, full }) => {
    const { store } = registry.open(workspace)
    const edits = run ? ownEdits(store, run) : null
    const own = edits && !others ? ownFile(store, edits, path, oldPath) : null
    const ends =
      own ??
      (edits
        ? othersBetween(store, edits, path)
        : { before: versionAt(store, oldPath ?? path, fromSeq), after: versionAt(store, path, toSeq) })
    return fileDiff({
      path,
      ...(oldPath === undefined ? {} : { oldPath }),
      before: { version: ends.before, bytes: shownBytes(store, ends.before) },
      after: { version: ends.after, bytes: shownBytes(store, ends.after) },
      full: full ?? false,
      ...(own ? { own } : {})
    })
  }
}

/** The request after a look at the disk, where that is one of its ends. From the disk means from the newest position. */
async function looked<R extends DiffRequest>(open: OpenWorkspace, request: R): Promise<R> {
  if (request.to === 'now' || request.target === 'now') await open.lock.run(() => lookAtFolder(open))
  return request.target === 'now' ? { ...request, target: `seq:${open.store.records.lastSeq()}` } : request
}

/** Content above this is never shown, so it is not read either. */
const SHOWN_LIMIT = 20 * 1024 * 1024

function shownBytes(store: Store, version: FileVersion): Buffer | null {
  return version.size > SHOWN_LIMIT ? null : bytesOf(store, version)
}

interface Range {
  readonly prevCheckpointId: string
  readonly toCheckpointId: string
  readonly fromSeq: Seq
  readonly toSeq: Seq | null
  readonly workspaceDrifted: boolean
  readonly warning: string
}

export function diffOf(open: OpenWorkspace, request: DiffRequest): DiffResult {
  return describe(open.store, changesFor(open.store, request), request)
}

export function patchOf(store: Store, changes: readonly PathChange[]): { patch: Buffer; omitted: string[] } {
  return formatPatch(
    changes.map((change) => ({ change, before: bytesOf(store, change.before), after: bytesOf(store, change.after) }))
  )
}

interface Changes {
  readonly range: Range
  readonly changes: readonly PathChange[]
  /** The Edits of the run or turn whose changes they are; null for any two positions. */
  readonly own: ReadonlySet<number> | null
}

function describe(store: Store, { range, changes, own }: Changes, request: DiffRequest): DiffResult {
  const files = describeChanges(store, withoutImpliedFolders(changes), request.quick ? 120 : undefined)
  return { ...range, files: own && restoredSince(store, own) ? files.map((file) => marked(store, own, file)) : files }
}

/** Only a restore takes Edits out of force: without one, no chain needs a look. */
function restoredSince(store: Store, own: ReadonlySet<number>): boolean {
  const first = own.values().next().value ?? 0
  return store.db.prepare('SELECT 1 FROM edit WHERE restore IS NOT NULL AND seq > ? LIMIT 1').get(first) !== undefined
}

function marked(store: Store, own: ReadonlySet<number>, file: FileChange): FileChange {
  const by = wholeTakenBack(store, own, file.path, file.oldPath)
  return by ? { ...file, takenBack: by } : file
}

export function changesFor(store: Store, request: DiffRequest): Changes {
  const target = resolveTarget(store, request.target)
  const range = rangeOf(store, target, request)
  const ofRun =
    !request.to &&
    (request.scope === undefined ? target.run && target.kind !== 'checkpoint' : request.scope !== 'checkpoint')
  const runId = ofRun ? runOf(store, target) : null
  const turn = turnOf(store, target, request.scope)
  const all = runId
    ? changesOfRun(store, runId, turn)
    : changesBetween(store, range.fromSeq, range.toSeq ?? store.records.lastSeq())
  const wanted = request.paths
    ? all.filter((change) => request.paths?.some((path) => isWithin(change.path, path)))
    : all
  if (!runId) return { range, changes: withRenames(store, wanted), own: null }
  const mixed: string[] = []
  const edits = new Set(editsOfRun(store, runId, turn ?? undefined))
  const apart = wanted.map((change) => {
    if (!change.interleaved) return change
    const alone = ownChange(store, edits, change)
    if (!alone) mixed.push(change.path)
    return alone ?? change
  })
  const warning = [
    range.warning,
    mixed.length > 0
      ? `Others' changes in between are part of this diff and cannot be told apart: ${mixed.slice(0, 10).join(', ')}.`
      : ''
  ]
  return {
    range: { ...range, warning: warning.filter(Boolean).join(' ') },
    changes: withRenames(store, apart),
    own: edits
  }
}

function rangeOf(store: Store, target: Target, request: DiffRequest): Range {
  const none = { workspaceDrifted: false, warning: '' }
  if (request.to === 'now') {
    return { ...none, prevCheckpointId: target.checkpoint ?? '', toCheckpointId: '', fromSeq: target.seq, toSeq: null }
  }
  if (request.to) {
    const to = resolveTarget(store, request.to)
    return {
      ...none,
      prevCheckpointId: target.checkpoint ?? '',
      toCheckpointId: to.checkpoint ?? '',
      fromSeq: target.seq,
      toSeq: to.seq
    }
  }
  const runId =
    request.scope === 'checkpoint'
      ? null
      : request.scope || target.kind === 'run' || target.kind === 'turn'
        ? runOf(store, target)
        : null
  if (runId) {
    const run = findRun(store, runId)
    if (!run) throw new DriftlineError('UnknownTarget', `No run "${runId}" was recorded here.`, { target: runId })
    const turn = turnOf(store, target, request.scope)
    const turnRow = turn
      ? (store.db.prepare('SELECT start_seq, end_seq FROM turn WHERE id = ?').get(turn) as {
          start_seq: number
          end_seq: number | null
        })
      : null
    const start = startOf(store, run, turn)
    return {
      prevCheckpointId: start?.id ?? '',
      toCheckpointId: run.end_checkpoint ?? '',
      fromSeq: turnRow?.start_seq ?? run.start_seq,
      toSeq: turnRow ? (turnRow.end_seq ?? store.records.lastSeq()) : (run.end_seq ?? store.records.lastSeq()),
      workspaceDrifted: run.drifted === 1,
      warning: [
        start ? '' : NO_START,
        start?.status === 'pruned' ? `${start.why}: what files held before this run may be gone.` : '',
        run.incomplete
          ? 'What some files held before this run may be missing: it began before the first copy was complete, or was cut off.'
          : ''
      ]
        .filter(Boolean)
        .join(' ')
    }
  }
  const previous = previousCheckpoint(store, target)
  return {
    ...none,
    prevCheckpointId: previous?.id ?? '',
    toCheckpointId: target.checkpoint ?? '',
    fromSeq: previous?.seq ?? 0,
    toSeq: target.seq,
    warning: previous ? '' : 'There is no earlier checkpoint with changes: compared with the first copy.'
  }
}

const NO_START =
  'The checkpoint this run began with is missing from the history, so there is nothing it could be taken back to as a whole; its own changes are shown.'

/** [section 5] The authoritative before-side: the checkpoint recorded when the run, or the turn in it, began. Nothing that comes later moves it, and nothing else is guessed. */
function startOf(store: Store, run: RunRow, turn: string | null): CheckpointRow | null {
  const ofTurn = turn
    ? (store.db
        .prepare("SELECT * FROM checkpoint WHERE turn = ? AND reason IN ('run_start', 'pre_write') ORDER BY n LIMIT 1")
        .get(turn) as CheckpointRow | undefined)
    : undefined
  return ofTurn ?? findCheckpoint(store, run.start_checkpoint)
}

function runOf(store: Store, target: Target): string {
  if (target.run) return target.run
  const row = target.checkpoint
    ? (store.db.prepare('SELECT run FROM checkpoint WHERE id = ?').get(target.checkpoint) as { run: string | null })
    : null
  if (!row?.run)
    throw new DriftlineError('UnknownTarget', `"${target.id}" does not belong to a run.`, { target: target.id })
  return row.run
}

function turnOf(store: Store, target: Target, scope: DiffRequest['scope']): string | null {
  if (scope === 'run') return null
  if (target.kind === 'turn' || scope !== 'turn') return target.turn
  const row = target.checkpoint
    ? (store.db.prepare('SELECT turn FROM checkpoint WHERE id = ?').get(target.checkpoint) as { turn: string | null })
    : null
  return row?.turn ?? null
}

/** The newest earlier checkpoint at another position: of the same session when there is one, else of the workspace. */
function previousCheckpoint(store: Store, target: Target): { id: string; seq: number } | null {
  const session = target.checkpoint
    ? (
        store.db.prepare('SELECT session FROM checkpoint WHERE id = ?').get(target.checkpoint) as {
          session: string | null
        }
      ).session
    : null
  const find = (where: string, ...values: unknown[]): { id: string; seq: number } | undefined =>
    store.db
      .prepare(`SELECT id, seq FROM checkpoint WHERE seq < ? ${where} ORDER BY n DESC LIMIT 1`)
      .get(target.seq, ...values) as { id: string; seq: number } | undefined
  return (session ? find('AND session = ?', session) : undefined) ?? find('') ?? null
}

/** The state of a path at a position; null = now. */
export function versionAt(store: Store, path: string, seq: Seq | null): FileVersion {
  const head = store.records.head(path)
  if (!head || head.version === null) return ABSENT
  if (seq !== null) {
    const next = store.db
      .prepare('SELECT before FROM edit WHERE path = ? AND seq > ? ORDER BY seq LIMIT 1')
      .get(head.id, seq) as { before: number } | undefined
    if (next) return store.records.version(next.before)
  }
  return store.records.version(head.version)
}

/** A folder that came or went with files in it is said by the files; an empty one, and a changed mode, by itself. */
function withoutImpliedFolders(changes: readonly PathChange[]): PathChange[] {
  const implied = new Set<string>()
  for (const change of changes) {
    for (const path of [change.path, change.oldPath]) {
      for (let at = path?.lastIndexOf('/') ?? -1; at > 0; at = path?.lastIndexOf('/', at - 1) ?? -1)
        implied.add((path as string).slice(0, at))
    }
  }
  const comesOrGoes = (change: PathChange): boolean =>
    (change.before.kind === 'dir' && change.after.kind === 'absent') ||
    (change.before.kind === 'absent' && change.after.kind === 'dir')
  return changes.filter((change) => !(comesOrGoes(change) && implied.has(change.path)))
}
