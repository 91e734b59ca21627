/** The OpenAI Responses protocol. */
import type { ServerResponse } from 'node:http'
import { asFields, asList, type Fields, type ModelRequest, type Reply, sendJson, stream } from './protocol.ts'

export function readOpenAiRequest(body: Fields): ModelRequest {
  const messages = asList(body.input).map((item) => {
    const { type, role, content } = asFields(item)
    const parts =
      typeof content === 'string' ? content : asList(content).map((part) => String(asFields(part).text ?? ''))
    const from = String(type).endsWith('_output') ? 'tool' : role === 'user' ? 'user' : 'model'
    return { from, text: typeof parts === 'string' ? parts : parts.join('\n') } as const
  })
  return { messages, tools: asList(body.tools).map((tool) => String(asFields(tool).name ?? asFields(tool).type)) }
}

export function replyOpenAi(response: ServerResponse, body: Fields, reply: Reply, id: string): void {
  const { call } = reply
  const place = call?.namespace ? { namespace: call.namespace } : {}
  const named = call ? { call_id: `call_${id}`, name: call.name, ...place, status: 'completed' } : {}
  const output: Fields[] = [
    {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: reply.text, annotations: [] }]
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
