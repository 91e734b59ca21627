/** How the text of a diff is shown: side by side or not (kept between files and windows), white space, unchanged lines. */
import { useCallback, useMemo, useState } from 'react'
import type { TextOptions } from './text-doc.ts'
import { isSplit, rememberedView, rememberView, type ViewChoice } from './view-choice.ts'

interface TextOptionsState {
  readonly options: TextOptions
  chooseSplit(split: boolean): void
  toggleWhitespace(): void
  toggleUnchanged(): void
}

/** `width`: of the pane, in pixels; without a choice of the person's it decides. */
export function useTextOptions(width: number): TextOptionsState {
  const [choice, setChoice] = useState<ViewChoice>(rememberedView)
  const [ignoreWhitespace, setIgnoreWhitespace] = useState(false)
  const [hideUnchanged, setHideUnchanged] = useState(true)
  const split = isSplit(choice, width)
  const options = useMemo<TextOptions>(
    () => ({ split, ignoreWhitespace, hideUnchanged }),
    [split, ignoreWhitespace, hideUnchanged]
  )
  const chooseSplit = useCallback((next: boolean) => {
    const value = next ? 'split' : 'inline'
    rememberView(value)
    setChoice(value)
  }, [])
  return {
    options,
    chooseSplit,
    toggleWhitespace: () => setIgnoreWhitespace((on) => !on),
    toggleUnchanged: () => setHideUnchanged((on) => !on)
  }
}
