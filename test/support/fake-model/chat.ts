/** The OpenAI Chat Completions protocol. */
import type { ServerResponse } from 'node:http'
import { asFields, asList, type Fields, type ModelRequest, type Reply, sendJson } from './protocol.ts'

export function readChatRequest(body: Fields): ModelRequest {
  const messages = asList(body.messages).map((message) => {
    const { role, content } = asFields(message)
    const parts =
      typeof content === 'string' ? [content] : asList(content).map((part) => String(asFields(part).text ?? ''))
    const from = role === 'tool' ? 'tool' : role === 'user' ? 'user' : 'model'
    return { from, text: parts.join('\n') } as const
  })
  return { messages, tools: asList(body.tools).map((tool) => String(asFields(asFields(tool).function).name)) }
}

export function replyChat(response: ServerResponse, body: Fields, { text, call }: Reply, id: string): void {
  const calls = call
    ? [
        {
          index: 0,
          id: `call_${id}`,
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.input) }
        }
      ]
    : []
  const message = { role: 'assistant', content: text, ...(call ? { tool_calls: calls } : {}) }
  const finish = call ? 'tool_calls' : 'stop'
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const frame = { id: `chat_${id}`, created: 0, model: body.model }
  if (body.stream !== true) {
    const choices = [{ index: 0, message, finish_reason: finish }]
    sendJson(response, { ...frame, object: 'chat.completion', choices, usage })
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: Fields, reason: string | null, more: Fields = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: reason }]
    response.write(`data: ${JSON.stringify({ ...frame, object: 'chat.completion.chunk', choices, ...more })}\n\n`)
  }
  send(message, null)
  send({}, finish, { usage })
  response.end('data: [DONE]\n\n')
}
