/** What an agent tells of its tools: calls opened with the log made true before them, and closed with what they changed (GW-4). */
import { prepared, write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import { checkNamed } from '../drift/named-paths.ts'
import { keepOutput } from '../sessions/call-outputs.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { liveRunOf, namePrompt, openHookedRun } from '../sessions/hooked-runs.ts'
import type { RunRow } from '../sessions/runs.ts'
import { findSession, type SessionRow, updateSession } from '../sessions/sessions.ts'
import { closeCall, findOpenCall, keepWorking, openCall } from '../sessions/tool-calls.ts'
import type { Happening, ToolUse } from './event.ts'
import { recordFoundText } from './found-text.ts'
import { outputOf } from './output.ts'
import { namedInside } from './place.ts'
import { phaseWith } from './session-state.ts'
import { lookFor, outerRun, record, seen, type Taking } from './taking.ts'

export async function toolStarted(taking: Taking, use: ToolUse): Promise<void> {
  const { recorder, late } = taking
  const { store } = recorder
  const run = await workingRun(taking, use)
  if (!run || findOpenCall(store, taking.origin.session, { ...use, call: use.call ?? NO_CALL }, taking.origin.subagent))
    return
  if (!late) {
    if (use.reach === 'folder') await checkDisk(recorder, 'present')
    if (use.reach !== 'nothing') await checkNamed(recorder, insideOf(taking, use))
  }
  if (taking.opened) return
  record(taking, () => {
    startCall(taking, seen(taking), run, use, !late && !taking.missed)
  })
}

/** No call of ours has this id: a start without an id is never a repeat. */
const NO_CALL = '\0'

/** Call inside a transaction. */
export function startCall(taking: Taking, session: SessionRow, run: RunRow, use: ToolUse, complete: boolean): string {
  const { recorder, origin } = taking
  taking.opened = true
  if (!complete && use.reach !== 'nothing') markIncomplete(taking, run.id)
  const phase = phaseWith(taking, session, run, use)
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
      paths: insideOf(taking, use),
      reach: use.reach,
      complete
    },
    taking.late ? taking.told.at : recorder.now()
  )
}

export async function toolEnded(taking: Taking, end: Extract<Happening, { kind: 'tool-end' }>): Promise<void> {
  const { recorder, origin } = taking
  const { store } = recorder
  const { use } = end
  let call = findOpenCall(store, origin.session, use, origin.subagent)
  if (!call) {
    if (isOver(taking, use)) return
    // Its start was never told: what it names is still its own, and the run says that something was missed.
    const run = use.reach === 'nothing' ? null : await workingRun(taking, use)
    if (!run) return
    write(store.db, () => startCall(taking, seen(taking), run, { ...use, reach: 'paths' }, false))
    call = findOpenCall(store, origin.session, use, origin.subagent)
    if (!call) return
  }
  // What is told late is not held against a log that has gone on since.
  if (end.found && !taking.late) {
    const [path] = namedInside(recorder.root, origin.cwd, [end.found.path])
    const known = path === undefined ? 'as-known' : recordFoundText(recorder, path, end.found.text, call.start_seq)
    if (known === 'missed') markIncomplete(taking, call.run)
  }
  if (call.wide === 1 || call.paths !== '[]') {
    await checkNamed(recorder, JSON.parse(call.paths) as string[])
    await checkDisk(recorder, 'present')
  }
  const { id } = call
  const output = end.printed ? outputOf(recorder, origin.cwd, end.printed) : null
  record(taking, () => {
    if (output) keepOutput(store, id, output)
    if (end.background) keepWorking(store, id)
    else closeCall(store, id, end.failed ? 'failed' : 'done', recorder.now())
  })
}

/** The end of a call that was closed before: told twice, or late, after an interrupt closed it with its run. */
function isOver(taking: Taking, use: ToolUse): boolean {
  const { recorder, origin } = taking
  const { db } = recorder.store
  if (use.call !== null)
    return (
      prepared(db, 'SELECT 1 FROM tool_call WHERE session = ? AND agent_call = ?').get(origin.session, use.call) !==
      undefined
    )
  if (liveRunOf(recorder, findSession(recorder.store, origin.session))) return false
  const last = prepared(
    db,
    'SELECT state FROM tool_call WHERE session = ? AND agent_call IS NULL AND name = ? AND subagent IS ? ORDER BY rowid DESC LIMIT 1'
  ).get(origin.session, use.tool, origin.subagent) as { state: string } | undefined
  return last?.state === 'abandoned'
}

/** The run the session works in; a tool that writes without one opens a run of its own (SessionStart with work). */
async function workingRun(taking: Taking, use: ToolUse): Promise<RunRow | null> {
  const { recorder, late } = taking
  const { store } = recorder
  const session = findSession(store, taking.origin.session)
  const live = liveRunOf(recorder, session)
  if (live || use.reach === 'nothing') return live
  if (!late) {
    await endDeadRuns(recorder)
    await lookFor(taking, 'beginning')
  }
  const prompt = { text: '', source: taking.told.id }
  const outer = outerRun(taking)
  write(store.db, () => {
    const row = seen(taking)
    if (outer) namePrompt(recorder, row, outer, { ...prompt, text: outer.title })
    else openHookedRun(recorder, row, { ...prompt, text: lastPrompt(taking) }, taking.told.process, late)
  })
  return liveRunOf(recorder, findSession(store, taking.origin.session))
}

/** Work that goes on after its run ended carries the prompt it came from. */
function lastPrompt(taking: Taking): string {
  const row = prepared(
    taking.recorder.store.db,
    "SELECT text FROM message WHERE session = ? AND role = 'user' ORDER BY seq DESC LIMIT 1"
  ).get(taking.origin.session) as { text: string } | undefined
  return row?.text ?? ''
}

function markIncomplete(taking: Taking, run: string): void {
  prepared(taking.recorder.store.db, 'UPDATE run SET incomplete = 1 WHERE id = ?').run(run)
}

function insideOf(taking: Taking, use: ToolUse): string[] {
  return namedInside(taking.recorder.root, taking.origin.cwd, use.paths)
}
