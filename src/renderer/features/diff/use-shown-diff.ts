/** The diff of a file of the selected comparison, as the panes of the diff show it. */
import { useEffect } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import type { Selection } from '../../model/diff-selection.ts'
import { type EditFilter, shownEdits } from '../../state/comparison.ts'
import { isFollowing } from '../../state/derived.ts'
import { useWorkspaceState } from '../../state/open-workspace.tsx'
import { type FileDiffState, useFileDiff } from './use-file-diff.ts'

/**
 * The diff of the file. While the newest entry is followed, newer edits are loaded without being asked for. `release`:
 * the contents are released with the component.
 */
export function useShownDiff(
  selection: Selection,
  file: FileChange | null,
  filter: EditFilter,
  release = false
): FileDiffState {
  const live = useWorkspaceState((state) => state.live)
  const newest = useWorkspaceState(isFollowing)
  const state = useFileDiff(selection.query, file, {
    live: live || selection.query.to === 'now',
    edits: shownEdits(selection, filter),
    fresh: release
  })
  const { newerEdits, reload } = state
  useEffect(() => {
    if (newest && newerEdits > 0) reload()
  }, [newest, newerEdits, reload])
  return state
}
