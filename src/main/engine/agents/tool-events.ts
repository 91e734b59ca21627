/**
 * Actions that open and close tool calls (GW-4). A call is a window in the log: everything recorded between its start
 * and end position may be its work.
 */
import { checkDisk } from '../drift/check.ts'
import { attachPrompt, liveRunOf, openAgentRun } from '../runs/agent-runs.ts'
import { recordTestResult } from '../runs/test-results.ts'
import { saveOutput } from '../store/call-outputs.ts'
import { lastLatePrompt } from '../store/late-steps.ts'
import { lastMessage } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { markIncomplete, type RunRow } from '../store/runs.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import { transact, type Writable } from '../store/sql.ts'
import {
  closeCall,
  findCall,
  findOpenCall,
  isKnownCall,
  lastCallState,
  markWorking,
  openCall,
  type ToolCallRow
} from '../store/tool-calls.ts'
import type { CommandExit, ToolEnd, ToolUse } from './agent-action.ts'
import { importProgress } from './inferred-interrupts.ts'
import { asOf, checkToolPaths, commitAction, type IngestContext, touchSession } from './ingest-context.ts'
import { recordOriginalContent } from './original-content.ts'
import { findOuterRun } from './outer-run.ts'
import { storableOutput } from './output-tail.ts'
import { reasonToRefuse, reasonWhileStopped } from './refusal.ts'
import { nextPhase } from './session-state.ts'
import { toWorkspacePaths } from './workspace-paths.ts'

export async function handleToolStart(ingest: IngestContext, use: ToolUse): Promise<void> {
  const { workspace, store, fromSpool } = ingest
  const run = await ensureRun(ingest, use)
  if (
    !run ||
    findOpenCall(store, ingest.origin.session, { ...use, call: use.call ?? NO_CALL_ID }, ingest.origin.subagent)
  )
    return
  // [GW-5] The tool runs already: what a check finds from now on may be its own.
  if (ingest.state.repliedAt !== null) openIncompleteCall(ingest, run, use)
  if (!fromSpool && use.writeScope === 'folder') await checkDisk(workspace, 'present')
  const known = use.writeScope === 'nothing' || (await checkToolPaths(ingest, workspacePaths(ingest, use), 'start'))
  if (ingest.state.call === 'opened') return
  ingest.state.refusal = reasonWhileStopped(ingest, run.id, use) ?? reasonToRefuse(ingest, use)
  if (ingest.state.refusal !== null) return commitAction(ingest, (tx) => void touchSession(tx, ingest))
  commitAction(ingest, (tx) => {
    const complete = fromSpool ? known && use.writeScope === 'paths' : ingest.state.repliedAt === null
    openToolCall(tx, ingest, run, use, { complete })
  })
}

/** Opens the call of a tool that started before the folder was compared with the log, unless it is open. */
export function openIncompleteCall(ingest: IngestContext, run: RunRow, use: ToolUse): void {
  if (ingest.state.call === 'opened') return
  transact(ingest.store, (tx) => openToolCall(tx, ingest, run, use, { complete: false }))
}

/** No stored call has this id, so a start without an id never counts as a repeat of an open call. */
const NO_CALL_ID = '\0'

/** Opens the call and returns its id. `complete`: the folder was compared with the log before the tool started. */
export function openToolCall(
  tx: Writable<Store>,
  ingest: IngestContext,
  run: RunRow,
  use: ToolUse,
  { complete }: { readonly complete: boolean }
): string {
  const { workspace, origin } = ingest
  const session = touchSession(tx, ingest)
  ingest.state.call = 'opened'
  if (!complete && use.writeScope !== 'nothing') markIncomplete(tx, run.id)
  const phase = nextPhase(ingest, session, run, use)
  if (phase !== session.phase) updateSession(tx, session.id, { phase })
  return openCall(
    tx,
    {
      session: session.id,
      run: run.id,
      turn: session.turn ?? '',
      agentCall: use.call,
      subagent: origin.subagent,
      name: use.tool,
      summary: use.summary,
      paths: workspacePaths(ingest, use),
      writeScope: use.writeScope,
      complete
    },
    ingest.fromSpool ? ingest.hookEvent.at : (ingest.state.repliedAt ?? workspace.now())
  )
}

export async function handleToolEnd(ingest: IngestContext, end: ToolEnd): Promise<void> {
  const { workspace, store, origin } = ingest
  const { use } = end
  let call = findOpenCall(store, origin.session, use, origin.subagent)
  if (!call) {
    if (isClosedCall(ingest, use)) return
    // The start was not reported. The paths the tool names are still its own; the run is marked incomplete.
    const run = use.writeScope === 'nothing' ? null : await ensureRun(ingest, use)
    if (!run) return
    transact(store, (tx) => openToolCall(tx, ingest, run, { ...use, writeScope: 'paths' }, { complete: false }))
    call = findOpenCall(store, origin.session, use, origin.subagent)
    if (!call) return
  }
  // An event from the spool is not compared: the log has moved on since.
  if (end.original && !ingest.fromSpool) {
    const [path] = toWorkspacePaths(workspace.root, origin.cwd, [end.original.path])
    const known =
      path === undefined ? 'known' : recordOriginalContent(workspace, path, end.original.text, call.start_seq)
    if (known === 'missed') {
      const { run } = call
      transact(store, (tx) => markIncomplete(tx, run))
    }
  }
  if (call.wholeFolder === 1 || call.paths !== '[]') {
    const known = await checkToolPaths(ingest, JSON.parse(call.paths) as string[], 'end')
    if (!ingest.fromSpool || call.wholeFolder === 1 || !known) await checkDisk(workspace, 'present', asOf(ingest))
  }
  const { id, run: runId, start_seq: startSeq } = call
  const output = end.output ? storableOutput(workspace, origin.cwd, end.output) : null
  commitAction(ingest, (tx) => {
    if (output) saveOutput(tx, id, output)
    if (end.background) return markWorking(tx, id)
    const at = workspace.now()
    closeCall(tx, id, end.failed ? 'failed' : 'done', at)
    const exit = end.exit ?? reportedExit(findCall(tx, id))
    // An event from the spool: the log has moved on since, so the position at the end of the command is not known.
    if (!exit || ingest.fromSpool) return
    const position = { startSeq, endSeq: tx.records.lastSeq(), at }
    recordTestResult(tx, { ...exit, run: runId, call: id, ...position }, workspace.testCommands())
  })
  const run = liveRunOf(store, findSession(store, origin.session))
  if (!ingest.fromSpool && run?.id === call.run) importProgress(workspace, run)
}

/** An exit code that the transcript had before the end event (agents/transcript.ts). */
function reportedExit(call: ToolCallRow | null): CommandExit | null {
  return call && call.exit_code !== null ? { command: call.summary, code: call.exit_code } : null
}

/**
 * Whether this is the end of a call that is closed already: a repeat, or an end that arrives after an interrupt
 * closed the call with its run.
 */
function isClosedCall({ store, origin }: IngestContext, use: ToolUse): boolean {
  if (use.call !== null) return isKnownCall(store, origin.session, use.call)
  if (liveRunOf(store, findSession(store, origin.session))) return false
  return lastCallState(store, origin.session, use.tool, origin.subagent) === 'abandoned'
}

/**
 * The session's live run. A tool that may write without one opens a run of its own: some agents work without a
 * prompt.
 */
async function ensureRun(ingest: IngestContext, use: ToolUse): Promise<RunRow | null> {
  const { workspace, store, fromSpool } = ingest
  const session = findSession(store, ingest.origin.session)
  const live = liveRunOf(store, session)
  if (live || use.writeScope === 'nothing') return live
  if (!fromSpool) {
    await workspace.endDeadRuns()
    await checkDisk(ingest.workspace, 'position')
  }
  const outer = findOuterRun(ingest)
  const { process, id: source } = ingest.hookEvent
  transact(store, (tx) => {
    const row = touchSession(tx, ingest)
    if (outer) attachPrompt(tx, row, outer, { text: outer.title, source }, workspace.now())
    else {
      // Work that continues after its run ended carries the prompt it came from.
      const text = lastLatePrompt(tx, row.id) ?? lastMessage(tx, row.id, 'user')?.text ?? ''
      openAgentRun(tx, workspace, row, { source: 'hooks', prompt: { text, source }, process, incomplete: fromSpool })
    }
  })
  return liveRunOf(store, findSession(store, ingest.origin.session))
}

function workspacePaths(ingest: IngestContext, use: ToolUse): string[] {
  return toWorkspacePaths(ingest.workspace.root, ingest.origin.cwd, use.paths)
}
