/**
 * A model that does what the last prompt says in double brackets, for running real agents without a network:
 * `[[write FILE=TEXT]]` and `[[run COMMAND]]` become one tool call, `[[use TOOL ARGS | TOOL ARGS]]` (`callsOf`) one call after the
 * other of tools whose names end so; then it says "Did: …". `[[think]]` is never answered. It keeps no state: what to do next is
 * read off the request, so resumed and cut conversations work. Speaks Anthropic Messages, OpenAI Responses and Gemini's own.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { answerAnthropic, anthropicTalk } from './anthropic.ts'
import { answerGemini, geminiTalk, streamGemini } from './gemini.ts'
import { answerOpenAi, openAiTalk } from './openai.ts'
import { type Answer, type Call, type Fields, fields, sendJson, type Talk } from './talk.ts'

type Wish = Deed | { readonly kind: 'think' }
type Deed = { readonly kind: 'write'; readonly file: string; readonly text: string } | Run | Use
interface Run {
  readonly kind: 'run'
  readonly command: string
}

interface Use {
  readonly kind: 'use'
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[]
}

const PROTOCOLS = [
  { path: /\/messages$/, talk: anthropicTalk, answer: answerAnthropic },
  { path: /\/responses$/, talk: openAiTalk, answer: answerOpenAi },
  { path: /:generateContent$/, talk: geminiTalk, answer: answerGemini },
  { path: /:streamGenerateContent$/, talk: geminiTalk, answer: streamGemini }
]

/** Listens on loopback; every request that expects an answer is handed to `seen` first. */
export function startFakeModel(seen: (body: unknown) => void): Promise<{ url: string; server: Server }> {
  let n = 0
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = new URL(request.url ?? '/', 'http://model').pathname
      const protocol = request.method === 'POST' ? PROTOCOLS.find((one) => one.path.test(path)) : undefined
      if (protocol) {
        seen(body)
        const answer = decide(protocol.talk(body))
        if (answer) protocol.answer(response, body, answer, `${process.pid}${++n}`)
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

/** Null = it goes on thinking. */
function decide({ said, tools }: Talk): Answer | null {
  const at = said.findLastIndex((one) => one.by === 'person' && /\[\[.+?\]\]/s.test(one.text))
  const wish = at < 0 ? null : wishOf(said[at]?.text ?? '')
  if (!wish || tools.length === 0) return { text: 'Nothing to do.', call: null }
  if (wish.kind === 'think') return null
  const words = wordsOf(wish)
  const done = said.slice(at + 1).filter((one) => one.by === 'tool').length
  if (done >= (wish.kind === 'use' ? wish.calls.length : 1)) return { text: `Did: ${words}`, call: null }
  return { text: `I will ${words}.`, call: callOf(wish, tools, done) }
}

function wordsOf(wish: Deed): string {
  switch (wish.kind) {
    case 'write':
      return `write ${wish.file}`
    case 'run':
      return `run ${wish.command}`
    case 'use':
      return `use ${wish.calls.map((call) => call.tool).join(', ')}`
  }
}

/** The words for calls of tools; arguments are encoded, because agents quote prompts in ways of their own. */
export function callsOf(calls: readonly (readonly [tool: string, input: unknown])[]): string {
  return `[[use ${calls.map(([tool, input]) => `${tool} ${encodeURIComponent(JSON.stringify(input))}`).join(' | ')}]]`
}

function wishOf(prompt: string): Wish | null {
  const wish = [...prompt.matchAll(/\[\[(write|run|use|think) ?(.*?)\]\]/gs)].at(-1)
  if (!wish) return null
  const [, kind, rest = ''] = wish
  if (kind === 'think') return { kind }
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
function callOf(wish: Deed, tools: readonly string[], step: number): Call | null {
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
  if (tools.includes('exec_command')) return { name: 'exec_command', input: { cmd: command } }
  const input = { command, description: 'as asked' }
  // It wants to know.
  if (tools.includes('run_shell_command'))
    return { name: 'run_shell_command', input: { ...input, is_background: false } }
  const name = ['Bash', 'bash'].find((one) => tools.includes(one))
  return name ? { name, input } : null
}

async function readBody(request: IncomingMessage): Promise<Fields> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString('utf8')
  return text === '' ? {} : fields(JSON.parse(text))
}
