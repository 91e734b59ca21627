/** A live run, and an agent, of a project: without a process for each command and hook. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ownProcess } from '../../src/main/engine/ports/processes.ts'
import { callHost, onlyWorkspace } from './call-host.ts'
import type { Project } from './project.ts'
import { createTranscriptAgent, type TranscriptAgent } from './transcript-agent.ts'
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

/** A simulated Claude Code in this process, in a session of its own. */
export async function agentIn(on: Project): Promise<TranscriptAgent> {
  const home = join(on.beside, 'home')
  const folder = {
    root: on.root,
    home,
    workspace: await on.workspace(),
    engine: {
      call: on.call,
      callUntyped: (method: string, params: unknown) => on.call(method as 'agent.event', params as never)
    }
  }
  return createTranscriptAgent(folder, randomUUID(), { home: join(home, '.claude') })
}
