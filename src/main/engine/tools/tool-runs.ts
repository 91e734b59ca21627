/** Which run a use of our own tools belongs to: the agent's, when its hooks tell of this very use; else one of the client's session. */
import { type ToolClient, type ToolName, ownToolName } from '../../../contract/tools.ts'
import { write } from '../db/transaction.ts'
import { checkDisk } from '../drift/check.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { liveRunOf, openAgentRun } from '../sessions/agent-runs.ts'
import { findRun, liveRuns, turnsOf } from '../sessions/runs.ts'
import { findSession, touchSession, updateSession } from '../sessions/sessions.ts'
import { openCallsOf, type ToolCallRow } from '../sessions/tool-calls.ts'
import type { Recorder } from '../workspaces/recorder.ts'

export interface ToolRun {
  readonly run: string
  readonly turn: string
  /** The call an agent's hook has opened for this use; it is closed by that hook. */
  readonly hookCall: ToolCallRow | null
}

export interface ToolUseInfo {
  readonly client: ToolClient
  readonly tool: ToolName
  /** The agent's own id of the use. */
  readonly call: string | null
  /** The run of `driftline run` around it. */
  readonly run: string | null
  readonly paths: readonly string[]
  /** First words of a run that begins with this. */
  readonly title: string
}

/** Call inside the lock. Opens a run when none goes on, after a look at the folder (CK-2). */
export async function runFor(recorder: Recorder, task: ToolUseInfo): Promise<ToolRun> {
  const { store } = recorder
  const hookCall = findHookCall(recorder, task)
  if (hookCall) return { run: hookCall.run, turn: hookCall.turn, hookCall }
  const { client } = task
  const live = liveRunOf(recorder, findSession(store, client.session))
  if (live && touchRun(recorder, live.id))
    return { run: live.id, turn: turnsOf(store, live.id).at(-1)?.id ?? '', hookCall: null }
  await endDeadRuns(recorder)
  await checkDisk(recorder, 'position')
  const outer = task.run ? findRun(store, task.run) : null
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
      return { run: outer.id, turn, told: null }
    }
    openAgentRun(recorder, session, { text: '', source: '', title: task.title }, client.process, false)
    const { run, turn } = findSession(store, session.id) as { run: string; turn: string }
    store.db.prepare('UPDATE run SET tools = 1 WHERE id = ?').run(run)
    return { run, turn, told: null }
  })
}

/** An open call of a hooked agent that is this use: by the agent's id of it, else by the tool's name and a path. */
function findHookCall({ store }: Recorder, task: ToolUseInfo): ToolCallRow | null {
  const open = liveRuns(store)
    .filter((run) => run.tools === 0)
    .flatMap((run) => openCallsOf(store, run.id))
  const byId = open.find((call) => task.call !== null && call.agent_call === task.call)
  const isIt = (call: ToolCallRow): boolean => {
    const named = JSON.parse(call.paths) as string[]
    return ownToolName(call.name) === task.tool && task.paths.some((path) => named.includes(path))
  }
  return byId ?? open.find(isIt) ?? null
}

/** Says that the run goes on, so that nobody takes it for one that has ended meanwhile. False when somebody has. */
function touchRun({ store, now }: Recorder, run: string): boolean {
  return write(
    store.db,
    () =>
      store.db.prepare("UPDATE run SET last_event_at = ? WHERE id = ? AND state = 'live'").run(now(), run).changes === 1
  )
}
