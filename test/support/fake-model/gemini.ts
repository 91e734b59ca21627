/** Gemini's generateContent protocol. */
import type { ServerResponse } from 'node:http'
import {
  asFields,
  asList,
  type Fields,
  type ModelRequest,
  type Reply,
  type RequestMessage,
  sendJson
} from './protocol.ts'

export function readGeminiRequest(body: Fields): ModelRequest {
  return {
    tools: asList(body.tools).flatMap((tool) =>
      asList(asFields(tool).functionDeclarations).map((declaration) => String(asFields(declaration).name))
    ),
    messages: asList(body.contents).flatMap((content): RequestMessage[] => {
      const parts = asList(asFields(content).parts).map(asFields)
      const text = parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('\n')
      if (asFields(content).role === 'model') return [{ from: 'model', text }]
      const results = parts
        .filter((part) => part.functionResponse !== undefined)
        .map(() => ({ from: 'tool', text: '' }) as const)
      return [...results, ...(text.trim() !== '' ? [{ from: 'user', text } as const] : [])]
    })
  }
}

export function replyGemini(response: ServerResponse, _body: Fields, reply: Reply): void {
  sendJson(response, toGeminiReply(reply))
}

export function replyGeminiStream(response: ServerResponse, _body: Fields, reply: Reply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify(toGeminiReply(reply))}\n\n`)
}

function toGeminiReply({ text, call }: Reply): Fields {
  const parts = [{ text }, ...(call ? [{ functionCall: { name: call.name, args: call.input } }] : [])]
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
  return { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata }
}
