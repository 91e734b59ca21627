/** Gemini's generateContent: what was said in a request, and an answer to it. */
import type { ServerResponse } from 'node:http'
import { type Answer, type Fields, fields, list, type Said, sendJson, type Talk } from './talk.ts'

export function geminiTalk(body: Fields): Talk {
  return {
    tools: list(body.tools).flatMap((tool) =>
      list(fields(tool).functionDeclarations).map((one) => String(fields(one).name))
    ),
    said: list(body.contents).flatMap((content): Said[] => {
      const parts = list(fields(content).parts).map(fields)
      const words = parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('\n')
      if (fields(content).role === 'model') return [{ by: 'model', text: words }]
      const answers = parts
        .filter((part) => part.functionResponse !== undefined)
        .map(() => ({ by: 'tool', text: '' }) as const)
      return [...answers, ...(words.trim() !== '' ? [{ by: 'person', text: words } as const] : [])]
    })
  }
}

export function answerGemini(response: ServerResponse, _body: Fields, answer: Answer): void {
  sendJson(response, answerOf(answer))
}

export function streamGemini(response: ServerResponse, _body: Fields, answer: Answer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify(answerOf(answer))}\n\n`)
}

function answerOf({ text, call }: Answer): Fields {
  const parts = [{ text }, ...(call ? [{ functionCall: { name: call.name, args: call.input } }] : [])]
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
  return { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata }
}
