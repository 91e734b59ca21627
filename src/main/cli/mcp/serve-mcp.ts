/** The MCP server on stdin and stdout: tools registered with the official SDK, one session per process, ended with its client. */
import { type CallToolResult, CLIENT_INFO_META_KEY, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { SERVER_NAME } from '../../../contract/tools.ts'
import type { Context } from '../context.ts'
import { FILE_TOOLS } from './file-tools.ts'
import { HISTORY_TOOLS } from './history-tools.ts'
import { createSession, type McpSession } from './session.ts'
import { refusalOf, replyOf, type Tool } from './tool.ts'

const INSTRUCTIONS =
  'Driftline records every change in this project, so that a person can review it and take it back. Prefer these file tools where you have no others. You can look at the history; taking back is done by a person.'
/** One message may hold a whole file. */
const LARGEST_MESSAGE = 64 * 1024 * 1024

/** Serves until the client leaves; resolves once its last call is recorded. */
export async function serveMcp(context: Context): Promise<number> {
  // Standard output carries the protocol alone.
  for (const name of ['log', 'info', 'debug'] as const) console[name] = console.error
  const session = createSession(context)
  const pending = new Set<Promise<unknown>>()
  const gone = clientGone()
  const handle = serveStdio(() => createServer(context.surroundings.version, session, pending), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LARGEST_MESSAGE }),
    onerror: (error) => console.error(`driftline: ${error.message}`)
  })
  await gone
  await Promise.allSettled(pending)
  await session.leave()
  await handle.close()
  return 0
}

/** Its end of the pipe is closed, or it asks us to end. */
function clientGone(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

function createServer(version: string, session: McpSession, pending: Set<Promise<unknown>>): McpServer {
  const server = new McpServer(
    { name: SERVER_NAME, title: 'Driftline', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS }
  )
  for (const tool of [...FILE_TOOLS, ...HISTORY_TOOLS]) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        outputSchema: tool.output,
        annotations: { title: tool.title, ...tool.hints }
      },
      (args, { mcpReq }) => {
        session.named(clientName(server, mcpReq.envelope))
        const work = answered(tool, session, args, callId(mcpReq._meta))
        pending.add(work)
        return work.finally(() => pending.delete(work))
      }
    )
  }
  return server
}

async function answered(
  tool: Tool,
  session: McpSession,
  args: Record<string, unknown>,
  call: string | null
): Promise<CallToolResult> {
  try {
    const { text, data } = await tool.answer(session, args, call)
    return replyOf(text, data)
  } catch (error) {
    return refusalOf(error)
  }
}

/** Told once when the connection began, or with every request, by the age of the protocol. */
function clientName(server: McpServer, envelope: object | undefined): string {
  const told = new Map(Object.entries(envelope ?? {})).get(CLIENT_INFO_META_KEY) as { name?: unknown } | undefined
  return String(told?.name ?? server.server.getClientVersion()?.name ?? '')
}

/** The agent's own id of this use, where it tells one: its hooks speak of the same use by it. */
function callId(meta: Readonly<Record<string, unknown>> | undefined): string | null {
  for (const key of ['claudecode/toolUseId', 'callId']) {
    const value = meta?.[key]
    if (typeof value === 'string' && value !== '' && value.length <= 200) return value
  }
  return null
}
