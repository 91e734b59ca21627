/** The text of a file, compared: React's handle on the diff editor. */
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { BarState, ChangeAct } from './change-bars.ts'
import { DiffEditor } from './diff-editor.ts'
import { loadMonaco } from './load-monaco.ts'
import type { OwnLines } from './own-lines.ts'
import type { ChangePlace, ShownText, TextDoc, TextOptions } from './text-doc.ts'

export interface TextViewHandle {
  /** False when there is no change in that direction, or the text is not on screen yet. */
  go(delta: 1 | -1): boolean
  goToEnd(end: 'first' | 'last'): void
  accessibleViewer(delta: 1 | -1): void
  /** Number of the change the reader is at; null while there is none, or the text is not on screen yet. */
  change(): number | null
  goToChange(n: number): void
  /** Does nothing while there is no text. */
  focus(): void
}

interface TextViewProps {
  /** Null keeps the editor warm and hidden. */
  readonly doc: TextDoc | null
  readonly options: TextOptions
  /** True compares without a time limit. */
  readonly unlimited: boolean
  readonly own?: OwnLines | null
  readonly onShown: (key: string, shown: ShownText) => void
  readonly onPlace: (place: ChangePlace) => void
  readonly onError: (message: string) => void
  /** Decisions about single changes; without them no bar says anything. */
  readonly bars?: BarState | undefined
  readonly onChangeAct?: ((n: number, act: ChangeAct) => void) | undefined
  readonly ref?: Ref<TextViewHandle>
}

export function TextView({
  doc,
  options,
  unlimited,
  own = null,
  onShown,
  onPlace,
  onError,
  bars,
  onChangeAct,
  ref
}: TextViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<DiffEditor | null>(null)
  const key = doc?.key ?? ''
  const shownKey = useRef('')
  const latest = useRef({ onShown, onPlace, onError, onChangeAct, options, key })
  latest.current = { onShown, onPlace, onError, onChangeAct, options, key }

  useEffect(() => {
    let gone = false
    let made: DiffEditor | null = null
    loadMonaco()
      .then((monaco) => {
        if (gone || !host.current) return
        made = new DiffEditor(monaco, host.current, latest.current.options)
        made.onPlace = (place) => latest.current.onPlace(place)
        made.onChangeAct = (n, act) => {
          // The text before may still be on screen: its changes are not those of the file asked for.
          if (shownKey.current === latest.current.key) latest.current.onChangeAct?.(n, act)
        }
        setEditor(made)
      })
      .catch((error: unknown) => {
        if (!gone) latest.current.onError(error instanceof Error ? error.message : String(error))
      })
    return () => {
      gone = true
      made?.dispose()
      setEditor(null)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: options have their own effect; only content reloads.
  useEffect(() => {
    if (!editor || !doc) return
    editor.show(doc, options, unlimited ? 0 : undefined).then(
      (shown) => {
        if (!shown) return
        shownKey.current = doc.key
        latest.current.onShown(doc.key, shown)
      },
      (error: unknown) => latest.current.onError(error instanceof Error ? error.message : String(error))
    )
  }, [editor, doc?.key, unlimited])

  useEffect(() => editor?.setOptions(options), [editor, options])
  useEffect(() => editor?.setOwnLines(own), [editor, own])

  useEffect(() => {
    if (bars) editor?.setBars(bars)
  }, [editor, bars])

  const hasDoc = doc !== null
  useImperativeHandle(
    ref,
    () => ({
      go: (delta) => (shownKey.current === latest.current.key && editor?.go(delta)) ?? false,
      goToEnd: (end) => editor?.goToEnd(end),
      change: () => (shownKey.current === latest.current.key ? (editor?.change() ?? null) : null),
      goToChange: (n) => editor?.goToChange(n),
      accessibleViewer: (delta) => editor?.accessibleViewer(delta),
      focus: () => {
        if (hasDoc) editor?.focus()
      }
    }),
    [editor, hasDoc]
  )

  return <div className="text-view" ref={host} hidden={!doc} data-testid="diff-text" />
}
