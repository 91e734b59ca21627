/**
 * A conversation as a trajectory of ATIF, the Agent Trajectory Interchange Format of the Harbor project, version 1.6: a
 * step for each message, with the tools that the agent used after it. Pure.
 */
import type { AtifStep } from '../../../contract/atif.ts'
import type { CallOutput } from '../../../contract/conversation.ts'

export interface AtifMessage {
  readonly seq: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly at: number
  readonly turn: string | null
}

export interface AtifCall {
  readonly id: string
  readonly turn: string
  readonly name: string
  readonly summary: string
  readonly paths: readonly string[]
  readonly startedAt: number
  readonly output: CallOutput | null
}

/**
 * The steps of messages, oldest first. A call belongs to the last message before it; where that is a prompt, the agent said
 * nothing, and its calls are a step without words. `calls`: in the order they were opened.
 */
export function* stepsOf(
  messages: Iterable<AtifMessage>,
  calls: readonly AtifCall[],
  model: string
): Generator<AtifStep> {
  let id = 0
  let next = 0
  const callsBefore = (at: number): AtifCall[] => {
    const from = next
    while (next < calls.length && (calls[next] as AtifCall).startedAt < at) next++
    return calls.slice(from, next)
  }
  const agentStep = (at: number, turn: string | null, text: string, own: readonly AtifCall[], message?: number) => ({
    step_id: ++id,
    timestamp: new Date(at).toISOString(),
    source: 'agent' as const,
    message: text,
    ...(model === '' ? {} : { model_name: model }),
    ...toolsOf(own),
    extra: { ...(turn === null ? {} : { turn }), ...(message === undefined ? {} : { message }) }
  })
  function* step(message: AtifMessage, own: readonly AtifCall[]): Generator<AtifStep> {
    const { seq, at, turn, text, role } = message
    if (role === 'assistant') return yield agentStep(at, turn, text, own, seq)
    const extra = { ...(turn === null ? {} : { turn }), message: seq }
    yield { step_id: ++id, timestamp: new Date(at).toISOString(), source: 'user', message: text, extra }
    const [first] = own
    if (first) yield agentStep(first.startedAt, first.turn, '', own)
  }
  let last: AtifMessage | null = null
  for (const message of messages) {
    if (last) yield* step(last, callsBefore(message.at))
    last = message
  }
  const rest = callsBefore(Number.POSITIVE_INFINITY)
  const [first] = rest
  if (last) yield* step(last, rest)
  else if (first) yield agentStep(first.startedAt, first.turn, '', rest)
}

function toolsOf(calls: readonly AtifCall[]): Pick<AtifStep, 'tool_calls' | 'observation'> {
  if (calls.length === 0) return {}
  const results = calls.flatMap(({ id, output }) => (output ? [{ source_call_id: id, content: output.text }] : []))
  return {
    tool_calls: calls.map(({ id, name, summary, paths }) => ({
      tool_call_id: id,
      function_name: name,
      arguments: { summary, paths }
    })),
    ...(results.length > 0 ? { observation: { results } } : {})
  }
}
