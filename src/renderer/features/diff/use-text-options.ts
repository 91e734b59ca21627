/** Options of the text view: layout (remembered), trailing whitespace, and folding of unchanged lines. */
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react'
import type { TextOptions } from './text-doc.ts'

/** The remembered layout of diffs: inline, split, or by the width of the pane. */
type LayoutPreference = 'auto' | 'inline' | 'split'

const KEY = 'driftline.diff.view'
/** Minimum pane width for the split view in `auto`, px. */
const SPLIT_FROM_PX = 900

function loadLayoutPreference(): LayoutPreference {
  const value = localStorage.getItem(KEY)
  return value === 'inline' || value === 'split' ? value : 'auto'
}

function saveLayoutPreference(choice: LayoutPreference): void {
  localStorage.setItem(KEY, choice)
}

/** Whether two columns are shown, by choice or because there is room. */
export function usesSplitView(choice: LayoutPreference, width: number): boolean {
  return choice === 'auto' ? width >= SPLIT_FROM_PX : choice === 'split'
}

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

/** The width of an element as it changes, in whole pixels. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const measure = () => setWidth(Math.round(target.getBoundingClientRect().width))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return width
}
