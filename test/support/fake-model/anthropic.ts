/** The Anthropic Messages protocol. */
import type { ServerResponse } from 'node:http'
import {
  asFields,
  asList,
  type Fields,
  type ModelRequest,
  type Reply,
  type RequestMessage,
  sendJson,
  stream
} from './protocol.ts'

export function readAnthropicRequest(body: Fields): ModelRequest {
  return {
    tools: asList(body.tools).map((tool) => String(asFields(tool).name)),
    messages: asList(body.messages).flatMap((message): RequestMessage[] => {
      const { role, content } = asFields(message)
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asFields)
      const text = parts.map((part) => (part.type === 'text' ? String(part.text) : '')).join('\n')
      if (role === 'assistant') return [{ from: 'model', text }]
      const result = parts.some((part) => part.type === 'tool_result')
      return [
        ...(result ? [{ from: 'tool', text: '' } as const] : []),
        ...(text.trim() !== '' ? [{ from: 'user', text } as const] : [])
      ]
    })
  }
}

export function replyAnthropic(response: ServerResponse, body: Fields, reply: Reply, id: string): void {
  const content: Fields[] = [
    { type: 'text', text: reply.text },
    ...(reply.call ? [{ type: 'tool_use', id: `toolu_${id}`, name: reply.call.name, input: reply.call.input }] : [])
  ]
  const stop = reply.call ? 'tool_use' : 'end_turn'
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
