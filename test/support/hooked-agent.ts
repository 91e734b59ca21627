/** An agent as its hooks tell it: tools that name a file, commands that do anything, a command that stays open. */
import { execFileSync } from 'node:child_process'
import { told } from './agent-replay.ts'
import type { Recorded } from './recorded.ts'

export interface HookedAgent {
  /** The run it works in; null after `stop`. */
  readonly run: string | null
  /** It has a command open. */
  readonly busy: boolean
  say(event: string, payload: Record<string, unknown>): Promise<void>
  /** Its run; a prompt begins one if there is none. */
  working(): Promise<string>
  /** One use of a tool, from its start to its end. */
  call(tool: string, input: unknown, work: () => void): Promise<void>
  /** A real command, told as one; false when it failed. */
  shell(command: string): Promise<boolean>
  begin(): Promise<void>
  end(): Promise<void>
  stop(): Promise<void>
}

export function hookedAgent(folder: Recorded, session: string): HookedAgent {
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
    say: async (event, payload) => {
      const input = { session_id: session, cwd: folder.root, ...payload }
      await folder.engine.callUntyped('agent.event', told('claude-code', { event, input }))
    },
    working: async () => {
      if (run) return run
      const prompt = `${session} ${++calls}`
      await agent.say('UserPromptSubmit', { prompt, prompt_id: prompt })
      const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: false })
      run = status.activeRuns.find((activeRun) => activeRun.title === prompt)?.run ?? null
      if (!run) throw new Error(`no run for ${prompt}`)
      return run
    },
    call: async (tool_name, tool_input, work) => {
      await agent.working()
      const call = { tool_name, tool_input, tool_use_id: `${session}-${++calls}` }
      await agent.say('PreToolUse', call)
      work()
      await agent.say('PostToolUse', call)
    },
    shell: async (command) => {
      await agent.working()
      const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `${session}-${++calls}` }
      await agent.say('PreToolUse', call)
      const ok = runs(command, folder.root)
      await agent.say(ok ? 'PostToolUse' : 'PostToolUseFailure', call)
      return ok
    },
    begin: async () => {
      await agent.working()
      if (open) return
      open = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: `${session}-${++calls}` }
      await agent.say('PreToolUse', open)
    },
    end: async () => {
      if (open) await agent.say('PostToolUse', open)
      open = null
    },
    stop: async () => {
      if (run) await agent.say('Stop', { background_tasks: [] })
      run = null
      open = null
    }
  }
  return agent
}

function runs(command: string, cwd: string): boolean {
  try {
    execFileSync('bash', ['-c', command], { cwd, stdio: 'ignore' })
    return true
  } catch (error) {
    if (error instanceof Error && 'status' in error) return false
    throw error
  }
}
