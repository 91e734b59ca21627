/** Whether an agent has our file tools, and where that stands. Pure. */
import type { AgentScope, AgentView } from './use-agents.ts'

export interface ToolsStatus {
  readonly on: boolean
  /** Where they are on; null when they are off. */
  readonly scope: AgentScope | null
  /** The file of that scope, else of the person; null where it is not known to us. */
  readonly file: string | null
}

/** What is so for all projects counts first. */
export function toolsStatus({ states, state }: AgentView): ToolsStatus {
  for (const scope of ['user', 'project'] as const) {
    const tools = states[scope]?.tools
    if (tools?.on) return { on: true, scope, file: tools.file }
  }
  return { on: false, scope: null, file: (states.user ?? state).tools?.file ?? null }
}
