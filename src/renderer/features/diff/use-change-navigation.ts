/** Steps from change to change, and past the last change of a file into the next file. */
import { type RefObject, useRef } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { announce } from '../../ui/live-region.tsx'
import type { TextViewHandle } from './text-view.tsx'
import type { LoadedDiff } from './use-file-diff.ts'
import type { PaneFocus } from './use-pane-focus.ts'

interface ChangeNavigationInput {
  readonly file: FileChange | null
  /** The file on screen, which may still be the previous one. */
  readonly loaded: LoadedDiff | null
  /** The text of `file` is on screen and has changes. */
  readonly hasChanges: boolean
  readonly text: RefObject<TextViewHandle | null>
  readonly focus: PaneFocus
  /** Selects the file `delta` places away in review order. */
  readonly onStep: (delta: number) => void
}

export interface ChangeNavigation {
  step(delta: 1 | -1): void
  stepFile(delta: 1 | -1): void
  /** To be called when a text is on screen: moves focus to it, and to its first or last change after a step. */
  arrive(): void
}

export function useChangeNavigation({
  file,
  loaded,
  hasChanges,
  text,
  focus,
  onStep
}: ChangeNavigationInput): ChangeNavigation {
  const arriving = useRef<{ readonly from: string; readonly end: 'first' | 'last' } | null>(null)
  const stepFile = (delta: 1 | -1): void => {
    focus.hold()
    onStep(delta)
  }
  return {
    stepFile,
    step: (delta) => {
      if (hasChanges && text.current?.step(delta)) return
      if (file) arriving.current = { from: file.path, end: delta > 0 ? 'first' : 'last' }
      stepFile(delta)
    },
    arrive: () => {
      focus.handOver()
      const arrival = arriving.current
      if (!arrival || !loaded || arrival.from === loaded.path) return
      arriving.current = null
      if (arrival.end === 'last') text.current?.goToEnd('last')
      announce(`${loaded.path}, ${arrival.end} change.`)
    }
  }
}
