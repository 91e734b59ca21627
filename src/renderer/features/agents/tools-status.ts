/** Whether an agent has Driftline's file tools, and in which settings file. Pure. */
import type { AgentScope, AgentView } from './use-agents.ts'

export interface ToolsStatus {
  readonly on: boolean
  /** Scope in which they are on; null if they are off. */
  readonly scope: AgentScope | null
  /** Settings file of that scope, else of the user; null if the agent's file is unknown. */
  readonly file: string | null
}

/** User settings take precedence over project settings. */
export function toolsStatus({ states, state }: AgentView): ToolsStatus {
  for (const scope of ['user', 'project'] as const) {
    const tools = states[scope]?.tools
    if (tools?.on) return { on: true, scope, file: tools.file }
  }
  return { on: false, scope: null, file: (states.user ?? state).tools?.file ?? null }
}
