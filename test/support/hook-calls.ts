/** Hook events of Claude Code: as real calls of the hook program, which print what the agent would read, or without it. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { toHookEvent } from './agent-replay.ts'
import { hostEnv } from './host.ts'
import { HOOK } from './programs.ts'
import type { Project } from './project.ts'
import type { Content } from './tree.ts'

export interface HookCalls {
  /** What the hook prints for an event. */
  hook(event: string, input: object): string
  /** Hands an event to the engine as the hook does, but in this process, which takes a fifth of the time. */
  send(event: string, input: object): Promise<void>
  /** A run that writes files, one tool call each, sent in this process. */
  changedRun(prompt: string, files: Readonly<Record<string, Content>>): Promise<void>
}

export function createHookCalls(on: Project, session: string): HookCalls {
  const agentHome = (): string => join(on.beside, 'home')
  const payloadOf = (event: string, input: object) => ({
    session_id: session,
    cwd: on.root,
    hook_event_name: event,
    ...input
  })
  const hook = (event: string, input: object): string => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [HOOK, 'hook', 'claude-code', event], {
      cwd: on.root,
      env: { ...hostEnv(on.dataDir), DRIFTLINE_DATA: on.dataDir, CLAUDE_CONFIG_DIR: agentHome() },
      input: JSON.stringify(payloadOf(event, input))
    })
    if (status !== 0 || stderr.length > 0) throw new Error(`the hook ended with ${status}: ${stderr}`)
    return String(stdout)
  }
  const send = async (event: string, input: object): Promise<void> => {
    const line = { event, input: payloadOf(event, input) }
    await on.call('agent.event', toHookEvent('claude-code', line, { home: agentHome() }))
  }
  return {
    hook,
    send,
    changedRun: async (prompt, files) => {
      await send('UserPromptSubmit', { prompt })
      for (const [path, content] of Object.entries(files)) {
        const call = {
          tool_name: 'Write',
          tool_input: { file_path: join(on.root, path) },
          tool_use_id: `${prompt} ${path}`
        }
        await send('PreToolUse', call)
        on.edit({ [path]: content })
        await send('PostToolUse', call)
      }
      await send('Stop', {})
    }
  }
}
