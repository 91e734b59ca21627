/** Calls the file tools on a recorded folder as one client. */
import { randomBytes } from 'node:crypto'
import { DriftlineError } from '../../src/contract/errors.ts'
import type { ToolAnswer, ToolClient, ToolUse } from '../../src/contract/tools.ts'
import { ownProcess } from '../../src/main/engine/ports/processes.ts'
import type { RecordedFolder } from './recorded-folder.ts'

export interface ToolUser {
  readonly client: ToolClient
  use(use: ToolUse, more?: { readonly call?: string; readonly run?: string }): Promise<ToolAnswer>
  /** The reason of a call that must be refused. */
  refused(
    use: ToolUse
  ): Promise<{ readonly reason: string; readonly message: string; readonly data: Record<string, unknown> }>
  leave(): Promise<void>
}

export function toolUser(folder: RecordedFolder, name = 'test over MCP'): ToolUser {
  const client = { session: `mcp-${randomBytes(6).toString('hex')}`, name, process: ownProcess() }
  const user: ToolUser = {
    client,
    use: (use, more = {}) =>
      folder.engine.callUntyped('tools.use', {
        workspace: folder.workspace,
        client,
        use,
        ...more
      }) as Promise<ToolAnswer>,
    refused: async (use) => {
      try {
        const answer = await user.use(use)
        throw new Error(`it was not refused: ${JSON.stringify(answer)}`)
      } catch (error) {
        if (!(error instanceof DriftlineError)) throw error
        return { reason: String(error.data.reason), message: error.message, data: { ...error.data } }
      }
    },
    leave: async () => {
      await folder.engine.callUntyped('tools.leave', { workspace: folder.workspace, session: client.session })
    }
  }
  return user
}
