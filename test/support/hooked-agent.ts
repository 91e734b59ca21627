/** An agent that reports through hook events: file tools, shell commands, and a command that stays open. */
import { execFileSync } from 'node:child_process'
import { toHookEvent } from './agent-replay.ts'
import type { RecordedFolder } from './recorded-folder.ts'

export interface HookedAgent {
  /** Its current run; null after `stop`. */
  readonly run: string | null
  /** True while a command is open. */
  readonly busy: boolean
  sendEvent(event: string, payload: Record<string, unknown>): Promise<void>
  /** Returns its run; sends a prompt to begin one if there is none. */
  ensureRun(): Promise<string>
  /** One tool call with its start and end event around `work`. */
  call(tool: string, input: unknown, work: () => unknown): Promise<void>
  /** Runs a real command as a tool call; false when it failed. */
  shell(command: string): Promise<boolean>
  begin(): Promise<void>
  end(): Promise<void>
  stop(): Promise<void>
}

export function createHookedAgent(folder: RecordedFolder, session: string): HookedAgent {
  let run: string | null = null
  let open: Record<string, unknown> | null = null
  let calls = 0
  const agent: HookedAgent = {
    get run() {
      return run
    },
    get busy() {
      return open !== null
    },
    sendEvent: async (event, payload) => {
      const input = { session_id: session, cwd: folder.root, ...payload }
      await folder.engine.callUntyped('agent.event', toHookEvent('claude-code', { event, input }))
    },
    ensureRun: async () => {
      if (run) return run
      const prompt = `${session} ${++calls}`
      await agent.sendEvent('UserPromptSubmit', { prompt, prompt_id: prompt })
      const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: false })
      run = status.activeRuns.find((activeRun) => activeRun.title === prompt)?.run ?? null
      if (!run) throw new Error(`no run for ${prompt}`)
      return run
    },
    call: async (tool_name, tool_input, work) => {
      await agent.ensureRun()
      const call = { tool_name, tool_input, tool_use_id: `${session}-${++calls}` }
      await agent.sendEvent('PreToolUse', call)
      await work()
      await agent.sendEvent('PostToolUse', call)
    },
    shell: async (command) => {
      await agent.ensureRun()
      const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `${session}-${++calls}` }
      await agent.sendEvent('PreToolUse', call)
      const ok = runCommand(command, folder.root)
      await agent.sendEvent(ok ? 'PostToolUse' : 'PostToolUseFailure', call)
      return ok
    },
    begin: async () => {
      await agent.ensureRun()
      if (open) return
      open = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: `${session}-${++calls}` }
      await agent.sendEvent('PreToolUse', open)
    },
    end: async () => {
      if (open) await agent.sendEvent('PostToolUse', open)
      open = null
    },
    stop: async () => {
      if (run) await agent.sendEvent('Stop', { background_tasks: [] })
      run = null
      open = null
    }
  }
  return agent
}

function runCommand(command: string, cwd: string): boolean {
  try {
    execFileSync('bash', ['-c', command], { cwd, stdio: 'ignore' })
    return true
  } catch (error) {
    if (error instanceof Error && 'status' in error) return false
    throw error
  }
}
