/** What an agent's adapter is, and the one shared by agents that send Claude Code's fields. */
import type { AgentAction, AgentEvent } from './agent-action.ts'
import { asText, type Fields } from './payload.ts'

/** Normalises an event, given its name and its parsed JSON payload. Null when the payload is not one of this agent's. */
export type Adapter = (event: string, payload: Fields) => AgentEvent | null

/**
 * An adapter for agents whose payloads name the session, folder and mode as Claude Code's do. `normalize` gets the
 * event's name and payload.
 */
export function createHookAdapter(normalize: (event: string, payload: Fields) => AgentAction[]): Adapter {
  return (event, payload) => {
    const session = asText(payload.session_id)
    const cwd = asText(payload.cwd)
    if (!session || !cwd) return null
    return {
      origin: {
        session,
        cwd,
        transcript: asText(payload.transcript_path),
        subagent: asText(payload.agent_id),
        mode: asText(payload.permission_mode),
        model: asText(payload.model)
      },
      actions: normalize(asText(payload.hook_event_name) ?? event, payload)
    }
  }
}
