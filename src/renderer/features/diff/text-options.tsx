/** Options of the text view: layout (remembered), ignored whitespace, and folding of unchanged lines. */
import { type RefObject, useMemo, useState } from 'react'
import { Segmented } from '../../ui/segmented.tsx'
import { useSize } from '../../ui/use-size.ts'
import { type TextOptions, type WhitespaceMode, wrapsLines } from './text-doc.ts'

/** The remembered layout of diffs: inline, split, or by the width of the pane. */
type LayoutPreference = 'auto' | 'inline' | 'split'

const KEY = 'driftline.diff.view'
const WRAP_KEY = 'driftline.diff.wrap'
/** Minimum pane width for the split view in `auto`, px. */
const SPLIT_FROM_PX = 900

/** Whether two columns are shown, by choice or because there is room. */
export function usesSplitView(choice: LayoutPreference, width: number): boolean {
  return choice === 'auto' ? width >= SPLIT_FROM_PX : choice === 'split'
}

/** The width of `pane` decides the layout until the user chooses one, the kind of file whether long lines are wrapped. */
export function useTextOptions(pane: RefObject<HTMLElement | null>, path: string) {
  const width = useSize(pane, 'width')
  const [choice, setChoice] = useState<LayoutPreference>(() => {
    const saved = localStorage.getItem(KEY)
    return saved === 'inline' || saved === 'split' ? saved : 'auto'
  })
  const [whitespace, setWhitespace] = useState<WhitespaceMode>('show')
  const [hideUnchanged, setHideUnchanged] = useState(true)
  const [wrap, setWrap] = useState(() => {
    const saved = localStorage.getItem(WRAP_KEY)
    return saved === 'on' ? true : saved === 'off' ? false : null
  })
  const split = usesSplitView(choice, width)
  const options = useMemo<TextOptions>(
    () => ({ split, whitespace, hideUnchanged, wrap }),
    [split, whitespace, hideUnchanged, wrap]
  )
  const chooseLayout = (layout: 'inline' | 'split') => {
    localStorage.setItem(KEY, layout)
    setChoice(layout)
  }
  return {
    options,
    chooseLayout,
    /** What the keys of a diff do with the options. */
    commands: {
      split: () => chooseLayout(split ? 'inline' : 'split'),
      whitespace: () => setWhitespace((mode) => (mode === 'ignore-ends' ? 'show' : 'ignore-ends')),
      'all-whitespace': () => setWhitespace((mode) => (mode === 'ignore-all' ? 'show' : 'ignore-all')),
      unchanged: () => setHideUnchanged((on) => !on),
      wrap: () => {
        const next = !wrapsLines({ wrap }, path)
        localStorage.setItem(WRAP_KEY, next ? 'on' : 'off')
        setWrap(next)
      }
    }
  }
}

const LAYOUTS = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Split' }
] as const

interface LayoutSwitchProps {
  readonly split: boolean
  readonly onChange: (layout: 'inline' | 'split') => void
}

export function LayoutSwitch({ split, onChange }: LayoutSwitchProps) {
  return <Segmented label="Layout" tight options={LAYOUTS} value={split ? 'split' : 'inline'} onChange={onChange} />
}
