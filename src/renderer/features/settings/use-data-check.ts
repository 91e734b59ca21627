/** Checks the stored data of each workspace in turn, with progress and a way to stop. */
import { useRef, useState } from 'react'
import type { Result } from '../../../contract/api.ts'
import { toErrorShape } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'

type Problem = Result<'doctor.run'>['problems'][number]

export interface DataCheck {
  /** The workspace being checked; `at` starts at 1. */
  readonly running: { readonly name: string; readonly at: number; readonly of: number } | null
  readonly result: { readonly folders: number; readonly problems: readonly Problem[] } | null
  start(workspaces: readonly Workspace[]): void
  /** Stops after the current workspace. */
  stop(): void
}

export function useDataCheck(): DataCheck {
  const { client } = useDriftline()
  const [running, setRunning] = useState<DataCheck['running']>(null)
  const [result, setResult] = useState<DataCheck['result']>(null)
  const stopped = useRef(false)

  const start = async (workspaces: readonly Workspace[]): Promise<void> => {
    stopped.current = false
    setResult(null)
    const problems: Problem[] = []
    let folders = 0
    for (const { id, name, root } of workspaces) {
      if (stopped.current) break
      setRunning({ name, at: folders + 1, of: workspaces.length })
      try {
        problems.push(...(await client.call('doctor.run', { workspace: id, deep: true })).problems)
      } catch (thrown) {
        const { code, message } = toErrorShape(thrown)
        problems.push({ workspace: root, code, message })
      }
      folders++
    }
    setRunning(null)
    setResult({ folders, problems })
  }

  return {
    running,
    result,
    start: (workspaces) => void start(workspaces),
    stop: () => {
      stopped.current = true
    }
  }
}
