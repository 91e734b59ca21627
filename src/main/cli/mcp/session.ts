/** One connection of one client: its session in the log, and calls to the engine that survive a host that leaves. */
import { randomBytes } from 'node:crypto'
import type { Method, Params, Result } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { ToolAnswer, ToolClient, ToolUse } from '../../../contract/tools.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { ownProcess } from '../../engine/ports/processes.ts'
import type { Context } from '../context.ts'

export interface McpSession {
  /** The recorded folder; looked up anew for each use, because it may be added or removed meanwhile. Fails with NotAWorkspace. */
  workspace(): Promise<Workspace>
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  use(use: ToolUse, call: string | null): Promise<ToolAnswer>
  /** Whether a run holds what this client did. */
  isOwn(run: { readonly id: string; readonly session: string | null }): boolean
  /** The client said who it is. */
  named(client: string): void
  /** Ends its runs. */
  leave(): Promise<void>
}

/** Uses that come to the same when they are made again. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'read_file',
  'write_file',
  'edit_file',
  'delete_file',
  'create_dir',
  'remove_dir'
])
const LONGEST_NAME = 60
/** Without a call for so long the engine is let go of, ms. */
const QUIET_MS = 20_000

export function createSession(context: Context): McpSession {
  const id = `mcp-${randomBytes(8).toString('hex')}`
  const process = ownProcess()
  const runs = new Set<string>()
  const workspaces = new Set<string>()
  let name = 'A client'

  let working = 0
  let timer: NodeJS.Timeout | undefined

  /** A server may live for days: between two tasks it lets go of the engine, and finds a host that has come since. */
  const letGoWhenQuiet = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (working > 0) return
      context.close().catch((error: unknown) => console.error(`driftline: ${error}`))
    }, QUIET_MS)
    timer.unref()
  }

  const call = async <M extends Method>(method: M, params: Params<M>, again = true): Promise<Result<M>> => {
    working++
    try {
      return await called(method, params, again)
    } finally {
      working--
      letGoWhenQuiet()
    }
  }
  const called = async <M extends Method>(method: M, params: Params<M>, again: boolean): Promise<Result<M>> => {
    try {
      return await context.call(method, params)
    } catch (error) {
      if (!(error instanceof DriftlineError) || error.code !== 'Disconnected') throw error
      await context.openHere()
      if (!again)
        throw new DriftlineError(
          'Disconnected',
          'The app was closed in the middle of this, so it may have been done or not. Look at the files, then ask again.'
        )
      return await context.call(method, params)
    }
  }
  const workspace = async (): Promise<Workspace> =>
    (await call('workspaces.find', { folder: context.folder() })).workspace

  return {
    workspace,
    call,
    use: async (use, callId) => {
      const { id: ws } = await workspace()
      const client: ToolClient = { session: id, name: `${name} over MCP`, process }
      const run = context.surroundings.env.DRIFTLINE_RUN
      const params = { workspace: ws, client, use, ...(callId ? { call: callId } : {}), ...(run ? { run } : {}) }
      const answer = await call('tools.use', params, REPEATABLE.has(use.tool))
      if (answer.run) {
        runs.add(answer.run)
        workspaces.add(ws)
      }
      return answer
    },
    isOwn: (run) => run.session === id || runs.has(run.id),
    named: (client) => {
      // Some say what they are instead of only who: `codex-mcp-client`.
      const clean = client
        .replace(/\p{C}/gu, '')
        .trim()
        .replace(/[-_ ]mcp[-_ ]client$/i, '')
      if (clean !== '') name = clean.slice(0, LONGEST_NAME)
    },
    leave: async () => {
      for (const ws of workspaces) await call('tools.leave', { workspace: ws, session: id })
    }
  }
}
