/** `driftline mcp`: file and history tools for an agent or a chat app, over the Model Context Protocol. */
import { command } from '../command.ts'

export const mcp = command({
  name: 'mcp',
  usage: [''],
  summary: 'serve file and history tools to an agent: an MCP server on stdin and stdout',
  options: {},
  positionals: [0, 0],
  run: async (context) => {
    // Imported on demand: only this command needs the protocol library.
    const { serveMcp } = await import('../mcp/serve-mcp.ts')
    return serveMcp(context)
  }
})
