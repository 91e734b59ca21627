/**
 * Finds the run that a use of a file tool belongs to. An agent may have both integrations: then a hook has opened a
 * call for the same use, and its run is the one. Else it is a run of the client's own session, or the surrounding
 * `driftline run`.
 */
import type { Params } from '../../../contract/api.ts'
import { ownToolName } from '../../../contract/tools.ts'
import { type CheckContext, checkDisk } from '../drift/check.ts'
import type { Lock } from '../ports/lock.ts'
import { liveRunOf, openAgentRun } from '../runs/agent-runs.ts'
import type { RunContext } from '../runs/open-run.ts'
import { touchSession } from '../runs/session-rows.ts'
import { blockingStop } from '../store/brake-stops.ts'
import { findRun, liveRuns, touchRun } from '../store/runs.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { openCallsOf, type ToolCallRow } from '../store/tool-calls.ts'
import { turnsOf } from '../store/turns.ts'

/** What the file tools need of a recorded folder. Composed in workspaces/. */
export interface ToolWorkspace extends CheckContext, RunContext {
  /** Held during a use. */
  readonly lock: Lock
  /** Ends runs whose process died. Call inside the lock. */
  endDeadRuns(): Promise<void>
}

export interface ToolRun {
  readonly run: string
  readonly turn: string
  /** The call that a hook has opened for this use. That hook closes it, too. */
  readonly hookCall: ToolCallRow | null
}

export type ToolRequest = Omit<Params<'tools.use'>, 'workspace'>

/**
 * Opens a run with this title when none is live, after a scan (CK-2). `paths`: what the use will change. Call inside
 * the workspace's lock.
 */
export async function runFor(
  workspace: ToolWorkspace,
  request: ToolRequest,
  paths: readonly string[],
  title: string
): Promise<ToolRun> {
  const { store } = workspace
  const hookCall = findHookCall(workspace, request, paths)
  if (hookCall) return { run: hookCall.run, turn: hookCall.turn, hookCall }
  const { client } = request
  const live = liveRunOf(store, findSession(store, client.session))
  // False when another process has ended it.
  if (live && transact(store, (tx) => touchRun(tx, live.id, workspace.now())))
    return { run: live.id, turn: turnsOf(store, live.id).at(-1)?.id ?? '', hookCall: null }
  await workspace.endDeadRuns()
  await checkDisk(workspace, 'position')
  const outer = request.run ? findRun(store, request.run) : null
  return transact(store, (tx) => {
    const session = touchSession(
      tx,
      {
        id: client.session,
        agent: client.name,
        cwd: workspace.root,
        transcript: null,
        mode: null,
        model: null,
        home: null
      },
      workspace.now()
    )
    if (outer?.state === 'live' && outer.source === 'command') {
      const turn = turnsOf(store, outer.id).at(-1)?.id ?? ''
      updateSession(tx, session.id, { run: outer.id, turn, ended_at: null })
      return { run: outer.id, turn, hookCall: null }
    }
    const { run, turn } = openAgentRun(tx, workspace, session, {
      source: 'tools',
      prompt: { text: '', source: '', title },
      process: client.process,
      incomplete: false
    })
    return { run, turn, hookCall: null }
  })
}

/**
 * [BR-5] The stop because of which the use may change nothing: of the run that it would belong to, or of another run of the same
 * process, whose hooks do not see the use. Null if it may.
 */
export function stopOf(
  workspace: ToolWorkspace,
  request: ToolRequest,
  paths: readonly string[]
): ReturnType<typeof blockingStop> {
  const { store } = workspace
  const { client, run } = request
  const { pid, start } = client.process
  const ofProcess = liveRuns(store).filter((live) => live.pid === pid && live.pid_start === start)
  const own = [liveRunOf(store, findSession(store, client.session)), run ? findRun(store, run) : null, ...ofProcess]
  const runs = [
    findHookCall(workspace, request, paths)?.run,
    ...own.filter((each) => each?.state === 'live').map((each) => each?.id)
  ]
  for (const id of runs) {
    const stop = id === undefined ? null : blockingStop(store, id)
    if (stop) return stop
  }
  return null
}

/**
 * An open call, reported by a hook, of the same use: with the same id of the agent, or with the same tool and a path in
 * common.
 */
function findHookCall({ store }: ToolWorkspace, { use, call: id }: ToolRequest, paths: readonly string[]) {
  const open = liveRuns(store)
    .filter((run) => run.source !== 'tools')
    .flatMap((run) => openCallsOf(store, run.id))
  const byId = open.find((call) => id !== undefined && call.agent_call === id)
  const isSameUse = (call: ToolCallRow): boolean => {
    const named = JSON.parse(call.paths) as string[]
    return ownToolName(call.name) === use.tool && paths.some((path) => named.includes(path))
  }
  return byId ?? open.find(isSameUse) ?? null
}
