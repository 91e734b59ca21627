/** What an agent's adapter is, and the one shared by agents whose hooks send Claude Code's fields. */
import type { AgentAction, AgentEvent, CommandExit, CommandOutput, ToolEnd, ToolUse } from './agent-action.ts'
import { asFields, asList, asText, type Fields, planActions, readExit, readOutput } from './payload.ts'
import { readToolUse, type ToolNames } from './tool-use.ts'

/**
 * Normalises an event, given its name and its parsed JSON payload. Null when the payload is not one of this agent's.
 */
export type Adapter = (event: string, payload: Fields) => AgentEvent | null

/** The tool that an event is about. */
interface HookedTool {
  readonly name: unknown
  readonly input: Fields
  readonly use: ToolUse
  /** What a shell command printed, from the fields that may hold it; null for any other tool. */
  output(...texts: readonly unknown[]): CommandOutput | null
  /** The same command with its exit code; null for any other tool and without one. */
  exit(code: unknown): CommandExit | null
}

type EventReaders = Readonly<Record<string, (payload: Fields, tool: HookedTool) => AgentAction[]>>

/**
 * An adapter for agents whose payloads name the session, folder, mode and tool as Claude Code's do. `readers` has those
 * of its events that differ from SHARED_EVENTS; `shell` is its tool that runs commands.
 */
export function createHookAdapter(names: ToolNames, shell: string, readers: EventReaders): Adapter {
  const all = new Map(Object.entries({ ...SHARED_EVENTS, ...readers }))
  return (event, payload) => {
    const session = asText(payload.session_id)
    const cwd = asText(payload.cwd)
    if (!session || !cwd) return null
    const { tool_name: name, tool_input: input } = payload
    // The transcript names calls by the second id.
    const call = asText(payload.tool_call_id) ?? asText(payload.tool_use_id)
    const tool: HookedTool = {
      name,
      input: asFields(input),
      use: readToolUse(call, asText(name) ?? '', input, names),
      output: (...texts) => (name === shell ? readOutput(asFields(input).command, ...texts) : null),
      exit: (code) => (name === shell ? readExit(asFields(input).command, code) : null)
    }
    return {
      origin: {
        session,
        cwd,
        transcript: asText(payload.transcript_path),
        subagent: asText(payload.agent_id),
        mode: asText(payload.permission_mode),
        model: asText(payload.model)
      },
      actions: all.get(asText(payload.hook_event_name) ?? event)?.(payload, tool) ?? []
    }
  }
}

const SHARED_EVENTS: EventReaders = {
  SessionStart: () => [{ kind: 'session-start' }],
  SessionEnd: () => [{ kind: 'session-end' }],
  PreToolUse: (_, { name, input, use }) => [
    ...(name === 'ExitPlanMode' || name === 'exit_plan_mode' ? planActions(input.plan) : []),
    { kind: 'tool-start', use }
  ],
  PostToolUseFailure: ({ error, is_interrupt }, { use, output, exit }) => {
    const [, code] = /^Exit code (\d+)$/m.exec(asText(error)?.split('\n', 1)[0] ?? '') ?? []
    const ended = is_interrupt !== true && code !== undefined
    return [toolEnd(use, { failed: true, output: output(error), exit: ended ? exit(Number(code)) : null })]
  },
  Stop: readStop,
  StopFailure: readStop,
  SubagentStop: () => [{ kind: 'boundary' }],
  PreCompact: () => [{ kind: 'compact' }]
}

function readStop(payload: Fields): AgentAction[] {
  const background = asList(payload.background_tasks).length
  return [{ kind: 'stop', message: asText(payload.last_assistant_message), background }]
}

/** The end of a tool call. `known`: what the agent reports beyond its success. */
export function toolEnd(use: ToolUse, known: Partial<ToolEnd>): ToolEnd {
  return { kind: 'tool-end', use, failed: false, background: false, original: null, output: null, exit: null, ...known }
}
