/** Shows the lines that a person goes to, such as those of a finding, once the text of their file is on screen. */
import { type RefObject, useEffect } from 'react'
import { comparisonKey } from '../../state/comparison.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { TextViewHandle } from './text-view.tsx'
import type { FileDiffState } from './use-file-diff.ts'

interface PointedPlace {
  /** The text will be scrolled to chosen lines. */
  readonly isAwaited: boolean
  /** To be called when a text is on screen. */
  readonly show: () => void
}

export function usePointedLines(
  path: string | null,
  { loaded, current }: FileDiffState,
  text: RefObject<TextViewHandle | null>
): PointedPlace {
  const { store } = useOpenWorkspace()
  const pointed = useWorkspaceState((state) => state.pointed)
  const show = () => {
    const { pointed: at, query } = store.getState()
    if (!at || at.path !== path || !query || at.scope !== comparisonKey(query)) return
    if (!current || loaded?.path !== path || !text.current?.linesAtCursor()) return
    store.setState({ pointed: null })
    text.current.focus()
    text.current.showLine(at.lines)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place, file or text can be shown now.
  useEffect(show, [pointed, path, loaded])
  return { isAwaited: pointed !== null && pointed.path === path, show }
}
