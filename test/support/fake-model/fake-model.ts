/**
 * A model that follows the instruction in double brackets of the last prompt, for running real agents offline:
 * `[[write FILE=TEXT]]` and `[[run COMMAND]]` become one tool call, `[[use TOOL ARGS | TOOL ARGS]]`
 * (`instructionForCalls`) becomes one call after the other of the tools with these name endings; then it replies
 * "Did: …". A file that a review in the request names as undone is not written. `[[think]]` gets no reply. It keeps no state: the next step follows from the request, so resumed and
 * forked conversations work. Speaks Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini's
 * protocol.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { readAnthropicRequest, replyAnthropic } from './anthropic.ts'
import { readChatRequest, replyChat } from './chat.ts'
import { readGeminiRequest, replyGemini, replyGeminiStream } from './gemini.ts'
import { readOpenAiRequest, replyOpenAi } from './openai.ts'
import { asFields, type Fields, type ModelRequest, type Reply, sendJson, type ToolCall } from './protocol.ts'

type Instruction = ToolInstruction | { readonly kind: 'think' }
type ToolInstruction =
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | RunInstruction
  | UseInstruction
interface RunInstruction {
  readonly kind: 'run'
  readonly command: string
}

interface UseInstruction {
  readonly kind: 'use'
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[]
}

const PROTOCOLS = [
  { path: /\/messages$/, read: readAnthropicRequest, reply: replyAnthropic },
  { path: /\/chat\/completions$/, read: readChatRequest, reply: replyChat },
  { path: /\/responses$/, read: readOpenAiRequest, reply: replyOpenAi },
  { path: /:generateContent$/, read: readGeminiRequest, reply: replyGemini },
  { path: /:streamGenerateContent$/, read: readGeminiRequest, reply: replyGeminiStream }
]

/** Listens on loopback; `onRequest` gets every request that expects a reply. */
export function startFakeModel(onRequest: (body: unknown) => void): Promise<{ url: string; server: Server }> {
  let n = 0
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = new URL(request.url ?? '/', 'http://model').pathname
      const protocol = request.method === 'POST' ? PROTOCOLS.find((protocol) => protocol.path.test(path)) : undefined
      if (protocol) {
        onRequest(body)
        const reply = decide(protocol.read(body), JSON.stringify(body))
        if (reply) protocol.reply(response, body, reply, `${process.pid}${++n}`)
      } else if (path.endsWith('/count_tokens')) sendJson(response, { input_tokens: 10 })
      else if (path.endsWith(':countTokens')) sendJson(response, { totalTokens: 10 })
      else if (path.endsWith('/models')) sendJson(response, { object: 'list', data: [], models: [] })
      else sendJson(response, { error: { type: 'not_found_error', message: path } }, 404)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, server })
    })
  })
}

/** Null = no reply. `request`: all of it, because each agent puts a review in another place. */
function decide({ messages, tools }: ModelRequest, request: string): Reply | null {
  const at = messages.findLastIndex((message) => message.from === 'user' && /\[\[.+?\]\]/s.test(message.text))
  const instruction = at < 0 ? null : parseInstruction(messages[at]?.text ?? '')
  if (!instruction || tools.length === 0) return { text: 'Nothing to do.', call: null }
  if (instruction.kind === 'think') return null
  if (instruction.kind === 'write' && request.includes('Do not re-apply') && request.includes(`- ${instruction.file}`))
    return { text: `Left ${instruction.file} undone.`, call: null }
  const text = describeInstruction(instruction)
  const done = messages.slice(at + 1).filter((message) => message.from === 'tool').length
  if (done >= (instruction.kind === 'use' ? instruction.calls.length : 1)) return { text: `Did: ${text}`, call: null }
  return { text: `I will ${text}.`, call: toToolCall(instruction, tools, done) }
}

function describeInstruction(instruction: ToolInstruction): string {
  switch (instruction.kind) {
    case 'write':
      return `write ${instruction.file}`
    case 'run':
      return `run ${instruction.command}`
    case 'use':
      return `use ${instruction.calls.map((call) => call.tool).join(', ')}`
  }
}

/** The instruction for these tool calls. Arguments are URL-encoded, because agents quote prompts differently. */
export function instructionForCalls(calls: readonly (readonly [tool: string, input: unknown])[]): string {
  return `[[use ${calls.map(([tool, input]) => `${tool} ${encodeURIComponent(JSON.stringify(input))}`).join(' | ')}]]`
}

function parseInstruction(prompt: string): Instruction | null {
  const instruction = [...prompt.matchAll(/\[\[(write|run|use|think) ?(.*?)\]\]/gs)].at(-1)
  if (!instruction) return null
  const [, kind, rest = ''] = instruction
  if (kind === 'think') return { kind }
  if (kind === 'run') return { kind, command: rest }
  if (kind === 'use') {
    const calls = rest.split(' | ').map((call) => {
      const cut = call.indexOf(' ')
      return { tool: call.slice(0, cut), input: JSON.parse(decodeURIComponent(call.slice(cut + 1))) as unknown }
    })
    return { kind, calls }
  }
  const cut = rest.indexOf('=')
  return { kind: 'write', file: rest.slice(0, cut), text: rest.slice(cut + 1) }
}

/** The call that carries out the instruction with a tool this agent offers. */
function toToolCall(instruction: ToolInstruction, tools: readonly string[], step: number): ToolCall | null {
  if (instruction.kind === 'use') {
    const call = instruction.calls[step]
    const name = call && tools.find((tool) => tool === call.tool || tool.endsWith(`_${call.tool}`))
    if (name) return { name, input: call.input }
    return call && tools.includes('exec_command')
      ? { name: call.tool, namespace: 'mcp__driftline', input: call.input }
      : null
  }
  if (instruction.kind === 'write' && tools.includes('apply_patch')) {
    const lines = instruction.text.split('\n').map((line) => `+${line}`)
    return {
      name: 'apply_patch',
      custom: true,
      input: `*** Begin Patch\n*** Add File: ${instruction.file}\n${lines.join('\n')}\n*** End Patch\n`
    }
  }
  const command =
    instruction.kind === 'run' ? instruction.command : `printf '%s\\n' '${instruction.text}' > ${instruction.file}`
  if (tools.includes('exec_command')) return { name: 'exec_command', input: { cmd: command } }
  // Cline's.
  if (tools.includes('run_commands')) return { name: 'run_commands', input: { commands: [command] } }
  const input = { command, description: 'as requested' }
  // Its schema requires this argument.
  if (tools.includes('run_shell_command'))
    return { name: 'run_shell_command', input: { ...input, is_background: false } }
  const name = ['Bash', 'bash'].find((name) => tools.includes(name))
  return name ? { name, input } : null
}

async function readBody(request: IncomingMessage): Promise<Fields> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString('utf8')
  return text === '' ? {} : asFields(JSON.parse(text))
}
