/** Checks what is kept of each folder, one after the other, so that it can be watched and stopped. */
import { useRef, useState } from 'react'
import type { Result } from '../../../contract/api.ts'
import { toErrorShape } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'

type Problem = Result<'doctor.run'>['problems'][number]

export interface DataCheck {
  /** The folder that is looked at now, counted from 1. */
  readonly running: { readonly name: string; readonly at: number; readonly of: number } | null
  readonly result: { readonly folders: number; readonly problems: readonly Problem[] } | null
  start(workspaces: readonly Workspace[]): void
  /** Ends after the folder that is looked at now. */
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
