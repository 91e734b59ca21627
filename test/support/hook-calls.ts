/** Hook events of Claude Code as real calls of the hook program, which print what the agent would read. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { hostEnv } from './host.ts'
import { HOOK } from './programs.ts'
import type { Project } from './project.ts'
import type { Content } from './tree.ts'

export interface HookCalls {
  /** What the hook prints for an event. */
  hook(event: string, input: object): string
  /** A run that writes files, one tool call each. */
  changedRun(prompt: string, files: Readonly<Record<string, Content>>): void
}

export function createHookCalls(on: Project, session: string): HookCalls {
  const hook = (event: string, input: object): string => {
    const payload = { session_id: session, cwd: on.root, hook_event_name: event, ...input }
    const { stdout, stderr, status } = spawnSync(process.execPath, [HOOK, 'hook', 'claude-code', event], {
      cwd: on.root,
      env: { ...hostEnv(), DRIFTLINE_DATA: on.dataDir, CLAUDE_CONFIG_DIR: join(on.beside, 'home') },
      input: JSON.stringify(payload)
    })
    if (status !== 0 || stderr.length > 0) throw new Error(`the hook ended with ${status}: ${stderr}`)
    return String(stdout)
  }
  return {
    hook,
    changedRun: (prompt, files) => {
      hook('UserPromptSubmit', { prompt })
      for (const [path, content] of Object.entries(files)) {
        const call = {
          tool_name: 'Write',
          tool_input: { file_path: join(on.root, path) },
          tool_use_id: `${prompt} ${path}`
        }
        hook('PreToolUse', call)
        on.edit({ [path]: content })
        hook('PostToolUse', call)
      }
      hook('Stop', {})
    }
  }
}
