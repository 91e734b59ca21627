/**
 * The MCP server on stdin and stdout: one session per process, which ends with its client. Built on the official SDK.
 */
import { type CallToolResult, CLIENT_INFO_META_KEY, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { SERVER_NAME } from '../../../contract/tools.ts'
import type { Context } from '../context.ts'
import { FILE_TOOLS } from './file-tools.ts'
import { HISTORY_TOOLS } from './history-tools.ts'
import { createSession, type McpSession } from './session.ts'
import { refusalOf, type Tool } from './tool.ts'

const INSTRUCTIONS =
  'Driftline records every change in this project, so that the user can review and undo it. Prefer these file tools if you have no others. You can read the history; only the user can restore it.'
/** Upper bound of one message, bytes: it may contain a whole file. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** Serves until the client disconnects. Resolves with the exit code once its last call is recorded. */
export async function serveMcp(context: Context): Promise<number> {
  // Stdout carries only the protocol, so console output of libraries goes to stderr.
  for (const name of ['log', 'info', 'debug'] as const) console[name] = console.error
  const session = createSession(context)
  const pending = new Set<Promise<unknown>>()
  const disconnected = clientDisconnected()
  const handle = serveStdio(() => createServer(context.invocation.version, session, pending), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES }),
    onerror: (error) => console.error(`driftline: ${error.message}`)
  })
  await disconnected
  await Promise.allSettled(pending)
  await session.endRuns()
  await handle.close()
  return 0
}

/** Resolves when the client closes its end of the pipe or sends a signal. */
function clientDisconnected(): Promise<void> {
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
        session.setClientName(clientName(server, mcpReq.envelope))
        const call = answerCall(tool, session, args, callId(mcpReq._meta))
        pending.add(call)
        return call.finally(() => pending.delete(call))
      }
    )
  }
  return server
}

async function answerCall(
  tool: Tool,
  session: McpSession,
  args: Record<string, unknown>,
  call: string | null
): Promise<CallToolResult> {
  try {
    const { text, data } = await tool.answer(session, args, call)
    return { content: [{ type: 'text', text }], structuredContent: data }
  } catch (error) {
    return refusalOf(error)
  }
}

/** Older protocol versions send the client's name once at the start, newer ones with every request. */
function clientName(server: McpServer, envelope: object | undefined): string {
  const info = new Map(Object.entries(envelope ?? {})).get(CLIENT_INFO_META_KEY) as { name?: unknown } | undefined
  return String(info?.name ?? server.server.getClientVersion()?.name ?? '')
}

/** The agent's own id of this tool call, if it sends one. Its hook events name the same call by this id. */
function callId(meta: Readonly<Record<string, unknown>> | undefined): string | null {
  for (const key of ['claudecode/toolUseId', 'callId']) {
    const value = meta?.[key]
    if (typeof value === 'string' && value !== '' && value.length <= 200) return value
  }
  return null
}
