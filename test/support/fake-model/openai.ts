/** OpenAI Responses: what was said in a request, and an answer to it. */
import type { ServerResponse } from 'node:http'
import { type Answer, type Fields, fields, list, sendJson, stream, type Talk } from './talk.ts'

export function openAiTalk(body: Fields): Talk {
  const said = list(body.input).map((item) => {
    const { type, role, content } = fields(item)
    const words = typeof content === 'string' ? content : list(content).map((part) => String(fields(part).text ?? ''))
    const by = String(type).endsWith('_output') ? 'tool' : role === 'user' ? 'person' : 'model'
    return { by, text: typeof words === 'string' ? words : words.join('\n') } as const
  })
  return { said, tools: list(body.tools).map((tool) => String(fields(tool).name ?? fields(tool).type)) }
}

export function answerOpenAi(response: ServerResponse, body: Fields, answer: Answer, id: string): void {
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
