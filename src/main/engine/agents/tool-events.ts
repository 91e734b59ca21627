/**
 * Actions that open and close tool calls (GW-4). A call is a window in the log: everything recorded between its start
 * and end position may be its work.
 */
import { prepareCached, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import { checkNamedPaths } from '../drift/named-paths.ts'
import { attachPrompt, liveRunOf, openAgentRun } from '../runs/agent-runs.ts'
import { saveOutput } from '../store/call-outputs.ts'
import type { RunRow } from '../store/runs.ts'
import { findSession, type SessionRow, updateSession } from '../store/sessions.ts'
import { closeCall, findOpenCall, markWorking, openCall } from '../store/tool-calls.ts'
import { endDeadRuns } from '../workspaces/dead-runs.ts'
import type { ToolEnd, ToolUse } from './agent-action.ts'
import { commitAction, findOuterRun, type IngestContext, scanForCheckpoint, touchSession } from './ingest-context.ts'
import { recordOriginalContent } from './original-content.ts'
import { storableOutput } from './output-tail.ts'
import { nextPhase } from './session-state.ts'
import { toWorkspacePaths } from './workspace-paths.ts'

export async function handleToolStart(ingest: IngestContext, use: ToolUse): Promise<void> {
  const { recorder, fromSpool } = ingest
  const { store } = recorder
  const run = await ensureRun(ingest, use)
  if (
    !run ||
    findOpenCall(store, ingest.origin.session, { ...use, call: use.call ?? NO_CALL_ID }, ingest.origin.subagent)
  )
    return
  if (!fromSpool) {
    if (use.writeScope === 'folder') await checkDisk(recorder, 'present')
    if (use.writeScope !== 'nothing') await checkNamedPaths(recorder, workspacePaths(ingest, use))
  }
  if (ingest.callOpened) return
  commitAction(ingest, () => {
    openToolCall(ingest, touchSession(ingest), run, use, !fromSpool && !ingest.repliedEarly)
  })
}

/** No stored call has this id, so a start without an id never counts as a repeat of an open call. */
const NO_CALL_ID = '\0'

/** Call inside a transaction. */
export function openToolCall(
  ingest: IngestContext,
  session: SessionRow,
  run: RunRow,
  use: ToolUse,
  complete: boolean
): string {
  const { recorder, origin } = ingest
  ingest.callOpened = true
  if (!complete && use.writeScope !== 'nothing') markIncomplete(ingest, run.id)
  const phase = nextPhase(ingest, session, run, use)
  if (phase !== session.phase) updateSession(recorder.store, session.id, { phase })
  return openCall(
    recorder.store,
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
    ingest.fromSpool ? ingest.hookEvent.at : recorder.now()
  )
}

export async function handleToolEnd(ingest: IngestContext, end: ToolEnd): Promise<void> {
  const { recorder, origin } = ingest
  const { store } = recorder
  const { use } = end
  let call = findOpenCall(store, origin.session, use, origin.subagent)
  if (!call) {
    if (isClosedCall(ingest, use)) return
    // The start was not reported. The paths the tool names are still its own; the run is marked incomplete.
    const run = use.writeScope === 'nothing' ? null : await ensureRun(ingest, use)
    if (!run) return
    write(store.db, () => openToolCall(ingest, touchSession(ingest), run, { ...use, writeScope: 'paths' }, false))
    call = findOpenCall(store, origin.session, use, origin.subagent)
    if (!call) return
  }
  // An event from the spool is not compared: the log has moved on since.
  if (end.original && !ingest.fromSpool) {
    const [path] = toWorkspacePaths(recorder.root, origin.cwd, [end.original.path])
    const known =
      path === undefined ? 'known' : recordOriginalContent(recorder, path, end.original.text, call.start_seq)
    if (known === 'missed') markIncomplete(ingest, call.run)
  }
  if (call.wide === 1 || call.paths !== '[]') {
    await checkNamedPaths(recorder, JSON.parse(call.paths) as string[])
    await checkDisk(recorder, 'present')
  }
  const { id } = call
  const output = end.output ? storableOutput(recorder, origin.cwd, end.output) : null
  commitAction(ingest, () => {
    if (output) saveOutput(store, id, output)
    if (end.background) markWorking(store, id)
    else closeCall(store, id, end.failed ? 'failed' : 'done', recorder.now())
  })
}

/**
 * Whether this is the end of a call that is closed already: a repeat, or an end that arrives after an interrupt
 * closed the call with its run.
 */
function isClosedCall(ingest: IngestContext, use: ToolUse): boolean {
  const { recorder, origin } = ingest
  const { db } = recorder.store
  if (use.call !== null)
    return (
      prepareCached(db, 'SELECT 1 FROM tool_call WHERE session = ? AND agent_call = ?').get(
        origin.session,
        use.call
      ) !== undefined
    )
  if (liveRunOf(recorder, findSession(recorder.store, origin.session))) return false
  const last = prepareCached(
    db,
    'SELECT state FROM tool_call WHERE session = ? AND agent_call IS NULL AND name = ? AND subagent IS ? ORDER BY rowid DESC LIMIT 1'
  ).get(origin.session, use.tool, origin.subagent) as { state: string } | undefined
  return last?.state === 'abandoned'
}

/**
 * The session's live run. A tool that may write without one opens a run of its own: some agents work without a
 * prompt.
 */
async function ensureRun(ingest: IngestContext, use: ToolUse): Promise<RunRow | null> {
  const { recorder, fromSpool } = ingest
  const { store } = recorder
  const session = findSession(store, ingest.origin.session)
  const live = liveRunOf(recorder, session)
  if (live || use.writeScope === 'nothing') return live
  if (!fromSpool) {
    await endDeadRuns(recorder)
    await scanForCheckpoint(ingest, 'start')
  }
  const prompt = { text: '', source: ingest.hookEvent.id }
  const outer = findOuterRun(ingest)
  write(store.db, () => {
    const row = touchSession(ingest)
    if (outer) attachPrompt(recorder, row, outer, { ...prompt, text: outer.title })
    else openAgentRun(recorder, row, { ...prompt, text: lastPrompt(ingest) }, ingest.hookEvent.process, fromSpool)
  })
  return liveRunOf(recorder, findSession(store, ingest.origin.session))
}

/**
 * The title of a run opened without a prompt: work that continues after its run ended carries the prompt it came
 * from.
 */
function lastPrompt(ingest: IngestContext): string {
  const row = prepareCached(
    ingest.recorder.store.db,
    "SELECT text FROM message WHERE session = ? AND role = 'user' ORDER BY seq DESC LIMIT 1"
  ).get(ingest.origin.session) as { text: string } | undefined
  return row?.text ?? ''
}

function markIncomplete(ingest: IngestContext, run: string): void {
  prepareCached(ingest.recorder.store.db, 'UPDATE run SET incomplete = 1 WHERE id = ?').run(run)
}

function workspacePaths(ingest: IngestContext, use: ToolUse): string[] {
  return toWorkspacePaths(ingest.recorder.root, ingest.origin.cwd, use.paths)
}
