/** Options of the text view: layout (remembered), trailing whitespace, and folding of unchanged lines. */
import { useCallback, useMemo, useState } from 'react'
import {
  type LayoutPreference,
  loadLayoutPreference,
  saveLayoutPreference,
  usesSplitView
} from './layout-preference.ts'
import type { TextOptions } from './text-doc.ts'

interface TextOptionsState {
  readonly options: TextOptions
  chooseSplit(split: boolean): void
  toggleWhitespace(): void
  toggleUnchanged(): void
}

/** `width`: width of the pane, px; decides the layout until the user chooses one. */
export function useTextOptions(width: number): TextOptionsState {
  const [choice, setChoice] = useState<LayoutPreference>(loadLayoutPreference)
  const [ignoreWhitespace, setIgnoreWhitespace] = useState(false)
  const [hideUnchanged, setHideUnchanged] = useState(true)
  const split = usesSplitView(choice, width)
  const options = useMemo<TextOptions>(
    () => ({ split, ignoreWhitespace, hideUnchanged }),
    [split, ignoreWhitespace, hideUnchanged]
  )
  const chooseSplit = useCallback((next: boolean) => {
    const value = next ? 'split' : 'inline'
    saveLayoutPreference(value)
    setChoice(value)
  }, [])
  return {
    options,
    chooseSplit,
    toggleWhitespace: () => setIgnoreWhitespace((on) => !on),
    toggleUnchanged: () => setHideUnchanged((on) => !on)
  }
}
