/** Following a run that works: the file it wrote last is shown, until the reader looks at something else. */
import { useEffect, useState } from 'react'
import type { DiffResult } from '../../../contract/diff.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'

export interface Follow {
  /** It can be followed now. */
  readonly possible: boolean
  readonly on: boolean
  set(on: boolean): void
}

interface FollowDeps {
  readonly workspace: WorkspaceId
  /** What is selected is still working. */
  readonly live: boolean
  /** Names the selection: another one is not followed by itself. */
  readonly of: string
  readonly diff: DiffResult | null
  readonly pick: (path: string) => void
}

export function useFollow({ workspace, live, of, diff, pick }: FollowDeps): Follow {
  const { client } = useDriftline()
  const [followed, setFollowed] = useState<string | null>(null)
  const [newest, setNewest] = useState<string | null>(null)
  const on = live && followed === of
  useEffect(() => {
    if (!on) return setNewest(null)
    return client.on('workspace.changed', ({ workspace: changed, paths }) => {
      const path = paths.at(-1)
      if (changed === workspace && path !== undefined) setNewest(path)
    })
  }, [client, workspace, on])
  // An edit is told before the list of files has it.
  const known = newest !== null && diff?.files.some(({ path }) => path === newest) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: picked once per newest file.
  useEffect(() => {
    if (known && newest !== null) pick(newest)
  }, [known, newest])
  return { possible: live, on, set: (next) => setFollowed(next ? of : null) }
}
