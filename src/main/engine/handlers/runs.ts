/** Beginning and ending a run around a command (`driftline run`), and what a person writes about a run. Runs of hooked agents begin in agents/. */
import type { Params, Result, RunResult, RunStart } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { requireFolder } from '../capture/presence.ts'
import type { EngineContext } from '../context.ts'
import { diffFiles } from '../diff/requested-changes.ts'
import { checkDisk } from '../drift/check.ts'
import { requireDiskSpace } from '../files/disk-space.ts'
import { endRun } from '../runs/end-run.ts'
import { openRun } from '../runs/open-run.ts'
import { runFacts, runState } from '../runs/run-state.ts'
import { authorWarnings } from '../runs/run-warnings.ts'
import { recordTestResult } from '../runs/test-results.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { blockingRestore } from '../store/restores.ts'
import { formerRunText, setRunText, textsOfRun } from '../store/run-texts.ts'
import { attributedTo, findRun } from '../store/runs.ts'
import { transact } from '../store/sql.ts'
import { resolveTarget } from '../store/targets.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const RUNS: WorkspaceHandlers<'run.begin' | 'run.end' | 'run.describe'> = {
  'run.begin': (open, params) => {
    requireFolder(open, 'nothing can be recorded.')
    return open.lock.run(async () => {
      const { store } = open
      const begun = params.run === undefined ? null : findRun(store, params.run)
      if (begun) return toRunStart(begun.id, begun.start_checkpoint, begun.drifted === 1, begun.incomplete === 1)
      refuseDuringRestore(store)
      await open.refresh('position')
      requireDiskSpace(open.space, 'The run was not begun.')
      const started = transact(store, (tx) => {
        const opened = openRun(tx, open, {
          ...(params.run === undefined ? {} : { id: params.run }),
          source: 'command',
          title: params.title,
          agent: params.agent,
          session: params.session ?? null,
          prompt: params.title,
          process: { pid: params.pid, start: params.pidStart },
          incomplete: false
        })
        bumpRev(tx)
        return opened
      })
      open.notifyChanged(['runs', 'checkpoints', 'drift', 'status'])
      return toRunStart(started.run, started.checkpoint, started.drifted, started.incomplete)
    })
  },
  'run.end': (open, params, context) => open.lock.run(() => endCommandRun(context, open, params)),
  'run.describe': (open, params) => describeRun(open, params)
}

/** [RN-3] Each change is a row of the history, so it can be undone, and the title by its prompt stays. */
function describeRun(
  open: OpenWorkspace,
  { run: named, undo, ...texts }: Params<'run.describe'>
): Result<'run.describe'> {
  const { store } = open
  const { run } = resolveTarget(store, named)
  if (run === null) throw new DriftlineError('UnknownTarget', `"${named}" is not a run.`, { target: named })
  const former = textsOfRun(store, run)
  const wanted = { ...texts, ...(undo && { [undo]: formerRunText(store, run, undo === 'label' ? 'label' : 'note') }) }
  if (wanted.label !== undefined || wanted.userNote !== undefined) {
    transact(store, (tx) => {
      const at = open.now()
      if (wanted.label !== undefined) setRunText(tx, run, 'label', cleanLabel(wanted.label), at)
      if (wanted.userNote !== undefined) setRunText(tx, run, 'note', wanted.userNote.trim(), at)
      bumpRev(tx)
    })
    open.notifyChanged(['runs'])
  }
  return { run, ...textsOfRun(store, run), former }
}

/** A name is one line. */
const cleanLabel = (label: string): string => label.replace(/\s+/g, ' ').trim()

/**
 * [RS-7] Edits of an interrupted restore have no author until it is finished or undone, so a run could not be recorded
 * correctly.
 */
function refuseDuringRestore(store: Store): void {
  const restore = blockingRestore(store)
  if (!restore) return
  throw new DriftlineError(
    'Refused',
    restore.abandoned
      ? 'A restore was interrupted, so the run was not started. Finish or undo the restore first: "driftline recover finish" or "driftline recover undo".'
      : 'A restore is writing files, so the run was not started. Retry when it is done.',
    { restore: restore.id }
  )
}

function toRunStart(run: string, checkpoint: string, drifted: boolean, incomplete: boolean): RunStart {
  return { run, prevCheckpointId: checkpoint, workspaceDrifted: drifted, incomplete }
}

async function endCommandRun(
  context: EngineContext,
  open: OpenWorkspace,
  { run: id, exitCode, command }: Params<'run.end'>
): Promise<RunResult> {
  const { store } = open
  const run = findRun(store, id)
  if (!run) throw new DriftlineError('UnknownTarget', `No run "${id}" was recorded here.`, { target: id })
  const verdict = runState(runFacts(store, run, 'exit'), open.now())
  if (run.state === 'live' && verdict.state !== 'live') {
    // No refresh: it would end this run as dead, whose process may be gone by now.
    await checkDisk(open, 'position')
    const totals = endRun(open, run, verdict, exitCode)
    const { end_seq: endSeq, ended_at: at } = findRun(store, id) ?? run
    if (command !== undefined && exitCode !== null && endSeq !== null && at !== null) {
      const ended = { command, code: exitCode, run: id, call: null, startSeq: run.start_seq, endSeq, at }
      transact(store, (tx) => recordTestResult(tx, ended, open.testCommands()))
    }
    open.notifyChanged(['runs', 'checkpoints', 'status'])
    context.emit('run.ended', { workspace: open.workspace.id, run: id, title: run.name, files: totals.files })
  }
  const ended = findRun(store, id)
  const diff = diffFiles(store, { target: id, scope: 'run' })
  return {
    ...diff,
    run: id,
    checkpointId: ended?.end_checkpoint ?? '',
    state: ended?.state ?? 'ended',
    attributed: attributedTo(ended ?? run),
    notes: authorWarnings(store, id)
  }
}
