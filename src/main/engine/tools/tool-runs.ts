/**
 * Finds the run that a use of a file tool belongs to. An agent may have both integrations: then a hook has opened a call for
 * the same use, and its run is the one. Else it is a run of the client's own session, or the surrounding `driftline run`.
 */
import { ownToolName, type ToolClient, type ToolName } from '../../../contract/tools.ts'
import { write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import { liveRunOf, openAgentRun } from '../runs/agent-runs.ts'
import { findRun, liveRuns, turnsOf } from '../store/runs.ts'
import { findSession, touchSession, updateSession } from '../store/sessions.ts'
import { openCallsOf, type ToolCallRow } from '../store/tool-calls.ts'
import { endDeadRuns } from '../workspaces/dead-runs.ts'
import type { Recorder } from '../workspaces/recorder.ts'

export interface ToolRun {
  readonly run: string
  readonly turn: string
  /** The call that a hook has opened for this use. That hook closes it, too. */
  readonly hookCall: ToolCallRow | null
}

export interface ToolUseInfo {
  readonly client: ToolClient
  readonly tool: ToolName
  /** The agent's own id of the use. */
  readonly call: string | null
  /** The run of the surrounding `driftline run`. */
  readonly run: string | null
  readonly paths: readonly string[]
  /** Title of a run that starts with this use. */
  readonly title: string
}

/** Opens a run when none is live, after a scan (CK-2). Call inside the workspace's lock. */
export async function runFor(recorder: Recorder, use: ToolUseInfo): Promise<ToolRun> {
  const { store } = recorder
  const hookCall = findHookCall(recorder, use)
  if (hookCall) return { run: hookCall.run, turn: hookCall.turn, hookCall }
  const { client } = use
  const live = liveRunOf(recorder, findSession(store, client.session))
  if (live && touchRun(recorder, live.id))
    return { run: live.id, turn: turnsOf(store, live.id).at(-1)?.id ?? '', hookCall: null }
  await endDeadRuns(recorder)
  await checkDisk(recorder, 'position')
  const outer = use.run ? findRun(store, use.run) : null
  return write(store.db, () => {
    const session = touchSession(
      store,
      {
        id: client.session,
        agent: client.name,
        cwd: recorder.root,
        transcript: null,
        mode: null,
        model: null,
        home: null
      },
      recorder.now()
    )
    if (outer?.state === 'live' && outer.hooked === 0) {
      const turn = turnsOf(store, outer.id).at(-1)?.id ?? ''
      updateSession(store, session.id, { run: outer.id, turn, ended_at: null })
      return { run: outer.id, turn, hookCall: null }
    }
    openAgentRun(recorder, session, { text: '', source: '', title: use.title }, client.process, false)
    const { run, turn } = findSession(store, session.id) as { run: string; turn: string }
    store.db.prepare('UPDATE run SET tools = 1 WHERE id = ?').run(run)
    return { run, turn, hookCall: null }
  })
}

/** An open call, reported by a hook, of the same use: with the same id of the agent, or with the same tool and a path in common. */
function findHookCall({ store }: Recorder, use: ToolUseInfo): ToolCallRow | null {
  const open = liveRuns(store)
    .filter((run) => run.tools === 0)
    .flatMap((run) => openCallsOf(store, run.id))
  const byId = open.find((call) => use.call !== null && call.agent_call === use.call)
  const isSameUse = (call: ToolCallRow): boolean => {
    const named = JSON.parse(call.paths) as string[]
    return ownToolName(call.name) === use.tool && use.paths.some((path) => named.includes(path))
  }
  return byId ?? open.find(isSameUse) ?? null
}

/** Keeps a run from being ended as idle. False when it was ended already, by any process. */
function touchRun({ store, now }: Recorder, run: string): boolean {
  return write(
    store.db,
    () =>
      store.db.prepare("UPDATE run SET last_event_at = ? WHERE id = ? AND state = 'live'").run(now(), run).changes === 1
  )
}
