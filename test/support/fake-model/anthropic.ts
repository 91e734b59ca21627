/** Anthropic Messages: what was said in a request, and an answer to it. */
import type { ServerResponse } from 'node:http'
import { type Answer, type Fields, fields, list, type Said, sendJson, stream, type Talk } from './talk.ts'

export function anthropicTalk(body: Fields): Talk {
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

export function answerAnthropic(response: ServerResponse, body: Fields, answer: Answer, id: string): void {
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
