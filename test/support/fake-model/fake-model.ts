/**
 * A model that does what the last prompt says in double brackets, for running real agents without a network:
 * `[[write FILE=TEXT]]` and `[[run COMMAND]]` become one tool call, `[[use TOOL ARGS | TOOL ARGS]]` (`callsOf`) one call after the
 * other of tools whose names end so; then it says "Did: …". It keeps no state: what to do next is read off the request, so resumed
 * and cut conversations work. Speaks Anthropic Messages and OpenAI Responses.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

type Fields = Readonly<Record<string, unknown>>
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

type Wish = { readonly kind: 'write'; readonly file: string; readonly text: string } | Run | Use
interface Run {
  readonly kind: 'run'
  readonly command: string
}

interface Use {
  readonly kind: 'use'
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[]
}

interface Call {
  readonly name: string
  /** Where Codex keeps a server's tools, which it does not offer until they are asked for. */
  readonly namespace?: string
  readonly input: unknown
  /** A tool of OpenAI's that takes plain text. */
  readonly custom?: true
}

interface Answer {
  readonly text: string
  readonly call: Call | null
}

interface Said {
  readonly by: 'person' | 'model' | 'tool'
  readonly text: string
}

/** What was said to the model, in order, and the tools it may call. */
interface Talk {
  readonly said: readonly Said[]
  readonly tools: readonly string[]
}

/** Listens on loopback; every request that expects an answer is handed to `seen` first. */
export function startFakeModel(seen: (body: unknown) => void): Promise<{ url: string; server: Server }> {
  let n = 0
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = new URL(request.url ?? '/', 'http://model').pathname
      if (request.method === 'POST' && /\/(messages|responses)$/.test(path)) {
        seen(body)
        const id = `${process.pid}${++n}`
        if (path.endsWith('/messages')) answerAnthropic(response, body, decide(anthropicTalk(body)), id)
        else answerOpenAi(response, body, decide(openAiTalk(body)), id)
      } else if (path.endsWith('/count_tokens')) sendJson(response, { input_tokens: 10 })
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

function decide({ said, tools }: Talk): Answer {
  const at = said.findLastIndex((one) => one.by === 'person' && /\[\[.+?\]\]/s.test(one.text))
  const wish = at < 0 ? null : wishOf(said[at]?.text ?? '')
  if (!wish || tools.length === 0) return { text: 'Nothing to do.', call: null }
  const words = wordsOf(wish)
  const done = said.slice(at + 1).filter((one) => one.by === 'tool').length
  if (done >= (wish.kind === 'use' ? wish.calls.length : 1)) return { text: `Did: ${words}`, call: null }
  return { text: `I will ${words}.`, call: callOf(wish, tools, done) }
}

function wordsOf(wish: Wish): string {
  switch (wish.kind) {
    case 'write':
      return `write ${wish.file}`
    case 'run':
      return `run ${wish.command}`
    case 'use':
      return `use ${wish.calls.map((one) => one.tool).join(', ')}`
  }
}

/** The words for calls of tools; arguments are encoded, because agents quote prompts in ways of their own. */
export function callsOf(calls: readonly (readonly [tool: string, input: unknown])[]): string {
  return `[[use ${calls.map(([tool, input]) => `${tool} ${encodeURIComponent(JSON.stringify(input))}`).join(' | ')}]]`
}

function wishOf(prompt: string): Wish | null {
  const wish = [...prompt.matchAll(/\[\[(write|run|use) (.+?)\]\]/gs)].at(-1)
  if (!wish) return null
  const [, kind, rest = ''] = wish
  if (kind === 'run') return { kind, command: rest }
  if (kind === 'use') {
    const calls = rest.split(' | ').map((one) => {
      const cut = one.indexOf(' ')
      return { tool: one.slice(0, cut), input: JSON.parse(decodeURIComponent(one.slice(cut + 1))) as unknown }
    })
    return { kind, calls }
  }
  const cut = rest.indexOf('=')
  return { kind: 'write', file: rest.slice(0, cut), text: rest.slice(cut + 1) }
}

/** The same wish as the tool this agent offers for it. */
function callOf(wish: Wish, tools: readonly string[], step: number): Call | null {
  if (wish.kind === 'use') {
    const one = wish.calls[step]
    const name = one && tools.find((tool) => tool === one.tool || tool.endsWith(`_${one.tool}`))
    if (name) return { name, input: one.input }
    return one && tools.includes('exec_command')
      ? { name: one.tool, namespace: 'mcp__driftline', input: one.input }
      : null
  }
  if (wish.kind === 'write' && tools.includes('apply_patch')) {
    const lines = wish.text.split('\n').map((line) => `+${line}`)
    return {
      name: 'apply_patch',
      custom: true,
      input: `*** Begin Patch\n*** Add File: ${wish.file}\n${lines.join('\n')}\n*** End Patch\n`
    }
  }
  const command = wish.kind === 'run' ? wish.command : `printf '%s\\n' '${wish.text}' > ${wish.file}`
  if (tools.includes('Bash')) return { name: 'Bash', input: { command, description: 'as asked' } }
  if (tools.includes('exec_command')) return { name: 'exec_command', input: { cmd: command } }
  return null
}

// ---- Anthropic Messages ----

function anthropicTalk(body: Fields): Talk {
  return {
    tools: list(body.tools).map((tool) => String(fields(tool).name)),
    said: list(body.messages).flatMap((message): Said[] => {
      const { role, content } = fields(message)
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fields)
      const words = parts.map((part) => (part.type === 'text' ? String(part.text) : '')).join('\n')
      if (role === 'assistant') return [{ by: 'model', text: words }]
      const result = parts.some((part) => part.type === 'tool_result')
      return [
        ...(result ? [{ by: 'tool', text: '' } as const] : []),
        ...(words.trim() !== '' ? [{ by: 'person', text: words } as const] : [])
      ]
    })
  }
}

function answerAnthropic(response: ServerResponse, body: Fields, answer: Answer, id: string): void {
  const content: Fields[] = [
    { type: 'text', text: answer.text },
    ...(answer.call ? [{ type: 'tool_use', id: `toolu_${id}`, name: answer.call.name, input: answer.call.input }] : [])
  ]
  const stop = answer.call ? 'tool_use' : 'end_turn'
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage }
  if (body.stream !== true) {
    sendJson(response, { ...message, content, stop_reason: stop })
    return
  }
  const send = stream(response)
  send('message_start', { message: { ...message, content: [], stop_reason: null } })
  for (const [index, part] of content.entries()) {
    const text = part.type === 'text'
    send('content_block_start', { index, content_block: text ? { ...part, text: '' } : { ...part, input: {} } })
    const delta = text
      ? { type: 'text_delta', text: part.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(part.input) }
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } })
  send('message_stop', {})
  response.end()
}

// ---- OpenAI Responses ----

function openAiTalk(body: Fields): Talk {
  const said = list(body.input).map((item) => {
    const { type, role, content } = fields(item)
    const words = typeof content === 'string' ? content : list(content).map((part) => String(fields(part).text ?? ''))
    const by = String(type).endsWith('_output') ? 'tool' : role === 'user' ? 'person' : 'model'
    return { by, text: typeof words === 'string' ? words : words.join('\n') } as const
  })
  return { said, tools: list(body.tools).map((tool) => String(fields(tool).name ?? fields(tool).type)) }
}

function answerOpenAi(response: ServerResponse, body: Fields, answer: Answer, id: string): void {
  const { call } = answer
  const place = call?.namespace ? { namespace: call.namespace } : {}
  const named = call ? { call_id: `call_${id}`, name: call.name, ...place, status: 'completed' } : {}
  const output: Fields[] = [
    {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: answer.text, annotations: [] }]
    },
    ...(call?.custom ? [{ type: 'custom_tool_call', id: `ctc_${id}`, ...named, input: call.input }] : []),
    ...(call && !call.custom
      ? [{ type: 'function_call', id: `fc_${id}`, ...named, arguments: JSON.stringify(call.input) }]
      : [])
  ]
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const done = { id: `resp_${id}`, object: 'response', created_at: 0, status: 'completed', model: body.model, usage }
  if (body.stream !== true) {
    sendJson(response, { ...done, output })
    return
  }
  const send = stream(response)
  send('response.created', { response: { ...done, status: 'in_progress', output: [], usage: null } })
  for (const [index, item] of output.entries()) {
    send('response.output_item.added', { output_index: index, item })
    send('response.output_item.done', { output_index: index, item })
  }
  send('response.completed', { response: { ...done, output } })
  response.end()
}

// ---- HTTP ----

async function readBody(request: IncomingMessage): Promise<Fields> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString('utf8')
  return text === '' ? {} : fields(JSON.parse(text))
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function stream(response: ServerResponse): (type: string, value: Fields) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let n = 0
  return (type, value) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: n++, ...value })}\n\n`)
  }
}
