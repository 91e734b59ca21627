/** From change to change, and past the last one of a file into the next file. */
import { type RefObject, useRef } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { announce } from '../../ui/live-region.tsx'
import type { TextViewHandle } from './text-view.tsx'
import type { LoadedDiff } from './use-file-diff.ts'
import type { PaneFocus } from './use-pane-focus.ts'

interface StepsInput {
  readonly file: FileChange | null
  /** The file on screen, which may still be the one before. */
  readonly loaded: LoadedDiff | null
  /** The text of `file` is on screen and has changes. */
  readonly hasChanges: boolean
  readonly text: RefObject<TextViewHandle | null>
  readonly focus: PaneFocus
  /** Selects the file that many places away in review order. */
  readonly onStep: (delta: number) => void
}

export interface Steps {
  step(delta: 1 | -1): void
  stepFile(delta: 1 | -1): void
  /** A text is on screen: it takes the focus that was held for it, and is entered at its first or last change. */
  arrive(): void
}

export function useSteps({ file, loaded, hasChanges, text, focus, onStep }: StepsInput): Steps {
  const arriving = useRef<{ readonly from: string; readonly end: 'first' | 'last' } | null>(null)
  const stepFile = (delta: 1 | -1): void => {
    focus.hold()
    onStep(delta)
  }
  return {
    stepFile,
    step: (delta) => {
      if (hasChanges && text.current?.go(delta)) return
      if (file) arriving.current = { from: file.path, end: delta > 0 ? 'first' : 'last' }
      stepFile(delta)
    },
    arrive: () => {
      focus.handOver()
      const at = arriving.current
      if (!at || !loaded || at.from === loaded.path) return
      arriving.current = null
      if (at.end === 'last') text.current?.goToEnd('last')
      announce(`${loaded.path}, ${at.end} change.`)
    }
  }
}
