/** A conversation in ATIF, the Agent Trajectory Interchange Format of the Harbor project, version 1.6. No I/O. */

export interface AtifTrajectory {
  readonly schema_version: 'ATIF-v1.6'
  readonly session_id: string
  readonly agent: { readonly name: string; readonly version: string; readonly model_name?: string }
  readonly extra: { readonly run: string; readonly title: string }
}

interface AtifToolCall {
  readonly tool_call_id: string
  readonly function_name: string
  /** What is recorded of them: the command or the paths. */
  readonly arguments: { readonly summary: string; readonly paths: readonly string[] }
}

/** Only steps of the agent have a model, tool calls and an observation. */
export interface AtifStep {
  /** From 1, without a gap. */
  readonly step_id: number
  readonly timestamp: string
  readonly source: 'user' | 'agent'
  readonly message: string
  readonly model_name?: string
  readonly tool_calls?: readonly AtifToolCall[]
  readonly observation?: { readonly results: readonly { readonly source_call_id: string; readonly content: string }[] }
  /** Our ids of the turn, and of the message if the step is one. */
  readonly extra: { readonly turn?: string; readonly message?: number }
}
