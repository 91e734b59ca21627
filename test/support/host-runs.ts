/** Runs and agents of a project whose host is open, over its socket: a command or a hook is a process each time. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ownProcess } from '../../src/main/engine/ports/processes.ts'
import { callHost, onlyWorkspace } from './call-host.ts'
import type { Project } from './project.ts'
import { type AgentFolder, createTranscriptAgent, type TranscriptAgent } from './transcript-agent.ts'
import type { Content } from './tree.ts'

/** A folder that a host records, the only one of its data folder. */
type Recorded = Pick<Project, 'dataDir' | 'edit'>

/** A run that is live until it is ended, once or more often. */
export interface LiveRun {
  end(): Promise<void>
}

/** Begins a run of this process, as `driftline run` does, and writes `files` in it. */
export async function beginRun(
  on: Recorded,
  title: string,
  files: Readonly<Record<string, Content>>
): Promise<LiveRun> {
  const workspace = await onlyWorkspace(on.dataDir)
  const { pid, start: pidStart } = ownProcess()
  const begin = { workspace, title, agent: 'command', pid, pidStart }
  const { run } = await callHost(on.dataDir, 'run.begin', begin)
  on.edit(files)
  let ended: Promise<unknown> | undefined
  return {
    end: async () => {
      ended ??= callHost(on.dataDir, 'run.end', { workspace, run, exitCode: 0 })
      await ended
    }
  }
}

/** Records one run, which writes `files` and then does `work`. */
export async function recordRun(
  on: Recorded,
  title: string,
  files: Readonly<Record<string, Content>>,
  work?: () => void
): Promise<void> {
  const run = await beginRun(on, title, files)
  work?.()
  await run.end()
}

/** The folder of an agent whose events go to the host of the project. */
export async function agentFolder(on: Project): Promise<AgentFolder> {
  const home = join(on.beside, 'home')
  mkdirSync(home, { recursive: true })
  return {
    root: on.root,
    home,
    workspace: await onlyWorkspace(on.dataDir),
    engine: {
      call: (method, params) => callHost(on.dataDir, method, params),
      callUntyped: (method, params) => callHost(on.dataDir, method as 'agent.event', params as never)
    }
  }
}

/** An agent in a session of its own. */
export async function agentIn(on: Project): Promise<TranscriptAgent> {
  const folder = await agentFolder(on)
  return createTranscriptAgent(folder, randomUUID(), { home: join(folder.home, '.claude') })
}

/** One prompt of a new session, whose tool calls write one file each. */
export async function agentRun(on: Project, prompt: string, files: Readonly<Record<string, Content>>): Promise<void> {
  const agent = await agentIn(on)
  await agent.send('UserPromptSubmit', { prompt })
  for (const [path, content] of Object.entries(files)) {
    const tool_input = { file_path: join(on.root, path) }
    const call = { tool_name: 'Write', tool_input, tool_use_id: `${prompt} ${path}` }
    await agent.send('PreToolUse', call)
    on.edit({ [path]: content })
    await agent.send('PostToolUse', call)
  }
  await agent.send('Stop', {})
}
