/**
 * One MCP connection: its session in the log and its calls to the engine.
 *
 * A call survives the end of the recorder. It is repeated with the next one, but only if repeating gives the same result:
 * a copy or a move might otherwise happen twice.
 */
import { randomBytes } from 'node:crypto'
import type { Method, Params, Result } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { ToolAnswer, ToolClient, ToolUse } from '../../../contract/tools.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { ownProcess } from '../../engine/ports/processes.ts'
import type { Context } from '../context.ts'
import { agentProcess } from '../hook.ts'
import type { Given } from '../invocation.ts'
import type { OpenedClient } from '../open-client.ts'

export type McpSession = ReturnType<typeof createSession>

/** Tools whose second call with the same arguments has another effect. */
const UNREPEATABLE: ReadonlySet<string> = new Set(['copy_file', 'move_file'])
const MAX_NAME_LENGTH = 60
/** The engine is closed after this long without a call, ms; sooner where other commands wait for it. */
const IDLE_MS = { host: 20_000, 'in-process': 200 }

export function createSession(context: Context) {
  const id = `mcp-${randomBytes(8).toString('hex')}`
  const process = ownProcess()
  const runs = new Set<string>()
  const workspaces = new Set<string>()
  let name = 'A client'

  let activeCalls = 0
  let timer: NodeJS.Timeout | undefined

  /** A server may run for days. Between two tasks it closes the engine; the next call finds a host started since. */
  const closeEngineWhenIdle = (where: OpenedClient['where']): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (activeCalls > 0) return
      context.close().catch((error: unknown) => console.error(`driftline: ${error}`))
    }, IDLE_MS[where])
    timer.unref()
  }

  const call = async <M extends Method>(method: M, params: Given<Params<M>>, repeatable = true): Promise<Result<M>> => {
    activeCalls++
    try {
      return await context.call(method, params)
    } catch (error) {
      if (!(error instanceof DriftlineError) || error.code !== 'Disconnected') throw error
      await context.reconnect()
      if (!repeatable)
        throw new DriftlineError(
          'Disconnected',
          'The recorder ended during this call, so it may or may not have completed. Check the files, then try again.'
        )
      return await context.call(method, params)
    } finally {
      activeCalls--
      const opened = await context.open().catch(() => null)
      if (opened) closeEngineWhenIdle(opened.where)
    }
  }

  /**
   * The recorded folder. Resolved for each call, because it may be added or removed meanwhile. Fails with
   * NotAWorkspace.
   */
  const workspace = async (): Promise<Workspace> =>
    (await call('workspaces.find', { folder: context.folder() })).workspace

  return {
    workspace,
    call,
    async use(use: Given<ToolUse>, callId: string | null): Promise<ToolAnswer> {
      const { id: ws } = await workspace()
      const client: ToolClient = { session: id, name: `${name} over MCP`, process }
      const run = context.invocation.env.DRIFTLINE_RUN || undefined
      const params = { workspace: ws, client, use, call: callId || undefined, run }
      const answer = await call('tools.use', params, !UNREPEATABLE.has(use.tool))
      if (answer.run) {
        runs.add(answer.run)
        workspaces.add(ws)
      }
      return answer
    },
    /** The agent that started this server. */
    agent: agentProcess(null, context.invocation.env),
    /** True for a run that recorded this client's changes. */
    isOwn: (run: { readonly id: string; readonly session: string | null }): boolean =>
      run.session === id || runs.has(run.id),
    /** Sets the name its runs are shown under. */
    setClientName(client: string): void {
      // Some clients append their role to their name, such as `codex-mcp-client`.
      const clean = client
        .replace(/\p{C}/gu, '')
        .trim()
        .replace(/[-_ ]mcp[-_ ]client$/i, '')
      if (clean !== '') name = clean.slice(0, MAX_NAME_LENGTH)
    },
    /** Ends the runs of this connection. */
    async endRuns(): Promise<void> {
      for (const ws of workspaces) await call('tools.leave', { workspace: ws, session: id })
    }
  }
}
