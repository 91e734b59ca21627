/** Follows a live run. */
import { useEffect, useState } from 'react'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { isFollowing } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'

/** Follows a live run: shows the file it wrote last until the person selects something else. */
export function useFollowing(workspace: WorkspaceId): void {
  const { client } = useDriftline()
  const { actions } = useOpenWorkspace()
  const on = useWorkspaceState(isFollowing)
  const [newest, setNewest] = useState<string | null>(null)
  useEffect(() => {
    if (!on) return setNewest(null)
    return client.on('workspace.changed', ({ workspace: changed, paths }) => {
      const path = paths.at(-1)
      if (changed === workspace && path !== undefined) setNewest(path)
    })
  }, [client, workspace, on])
  // The change event can arrive before the list of files contains the file.
  const known = useWorkspaceState(
    ({ diff }) => newest !== null && diff?.files.some(({ path }) => path === newest) === true
  )
  useEffect(() => {
    if (known && newest !== null) actions.pickFile(newest)
  }, [known, newest, actions])
}
