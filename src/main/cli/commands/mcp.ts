/** `driftline mcp`: file and history tools for an agent or a chat app, over the Model Context Protocol. */
import { command } from '../command.ts'

export const mcp = command({
  name: 'mcp',
  usage: [''],
  summary: 'file and history tools for agents: an MCP server on stdin and stdout',
  options: {},
  positionals: [0, 0],
  run: async (context) => {
    // Only this command needs the protocol's library.
    const { serveMcp } = await import('../mcp/serve-mcp.ts')
    return serveMcp(context)
  }
})
