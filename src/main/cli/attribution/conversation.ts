/** The conversation of a run as an ATIF trajectory, from the same lines that a bundle has. */
import { gunzipSync } from 'node:zlib'
import type { AtifStep, AtifTrajectory } from '../../../contract/atif.ts'
import type { Context } from '../context.ts'
import type { NoteMessage } from './git-ai.ts'

export interface Conversation {
  readonly trajectory: AtifTrajectory
  readonly steps: readonly AtifStep[]
}

/** `secrets`: what may contain one is not masked. */
export async function readConversation(
  { ask, call }: Pick<Context, 'ask' | 'call'>,
  run: string,
  secrets: boolean
): Promise<Conversation> {
  const { bundle } = await ask('bundle.make', { run, secrets, conversation: true })
  const parts: Buffer[] = []
  try {
    for (let at = 0, end = false; !end; ) {
      const piece = await call('bundle.fetch', { bundle, at })
      const bytes = Buffer.from(piece.base64, 'base64')
      parts.push(bytes)
      at += bytes.length
      end = piece.end
    }
  } finally {
    await call('bundle.drop', { bundle })
  }
  const lines = gunzipSync(Buffer.concat(parts))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { trajectory?: AtifTrajectory; step?: AtifStep })
  return {
    trajectory: lines.find((line) => line.trajectory)?.trajectory as AtifTrajectory,
    steps: lines.flatMap(({ step }) => (step ? [step] : []))
  }
}

/** One ATIF document. */
export function atifDocument({ trajectory, steps }: Conversation): object {
  return { ...trajectory, steps, final_metrics: { total_steps: steps.length } }
}

/** As Git AI's notes have them: without what tools answered. */
export function noteMessages({ steps }: Conversation): NoteMessage[] {
  return steps.flatMap(({ source, message, timestamp, tool_calls: calls = [] }): NoteMessage[] => [
    ...(message === '' ? [] : [{ type: source === 'user' ? 'user' : 'assistant', text: message, timestamp } as const]),
    ...calls.map((call) => ({ type: 'tool_use' as const, name: call.function_name, input: call.arguments, timestamp }))
  ])
}
