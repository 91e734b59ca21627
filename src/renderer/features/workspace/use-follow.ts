/** Follows a live run: shows the file it wrote last until the person selects something else. */
import { useEffect, useState } from 'react'
import type { DiffResult } from '../../../contract/diff.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'

export interface Follow {
  /** Whether the selection can be followed. */
  readonly possible: boolean
  readonly on: boolean
  set(on: boolean): void
}

interface FollowDeps {
  readonly workspace: WorkspaceId
  /** Whether the selected run is live. */
  readonly live: boolean
  /** Identifies the selection: following ends when it changes. */
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
  // The change event can arrive before the list of files contains the file.
  const known = newest !== null && diff?.files.some(({ path }) => path === newest) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: each newest file is picked once.
  useEffect(() => {
    if (known && newest !== null) pick(newest)
  }, [known, newest])
  return { possible: live, on, set: (next) => setFollowed(next ? of : null) }
}
