/** An input for a folder path with completion by the engine. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { usePaused } from '../../ui/use-paused.ts'
import { cleanPath } from './drop.ts'
import { useIsUnreachable } from './use-is-unreachable.ts'

interface PathFieldProps {
  readonly initial: string
  /** Focus the field when it appears. */
  readonly focused?: boolean
  /** Another button is the primary one. */
  readonly secondary?: boolean
  readonly onOpen: (folder: string) => void
}

const PAUSE_MS = 80
const MAX_OPTIONS = 8

export function PathField({ initial, focused, secondary, onOpen }: PathFieldProps) {
  const { value, setTyped, options, at, setAt, complete } = useCompletion(initial)
  const [open, setOpen] = useState(false)
  const away = useIsUnreachable() ? 'not connected to the recorder' : null
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // Before the paint: what is typed at sight of the field reaches it.
  useLayoutEffect(() => {
    if (focused) field.current?.focus()
  }, [focused])
  const submit = () => {
    const folder = cleanPath(value)
    if (folder) onOpen(folder)
    setOpen(false)
  }
  /** The list of folders, from the home folder down: each choice lists the folders in it. */
  const browse = () => {
    setTyped('~/')
    setOpen(true)
    field.current?.focus()
  }
  const shown = open && options.length > 0
  const onKeyDown = (event: React.KeyboardEvent) => {
    const action = keyAction(event, shown ? options : [], at)
    if (!action) return
    event.preventDefault()
    if ('to' in action) setAt(action.to)
    else if ('complete' in action) complete(action.complete)
    else if (action.do === 'submit') submit()
    else setOpen(false)
  }

  return (
    <div className="path-field">
      <div className="field grow path-input">
        <Icon name="folder" size="s" />
        <input
          id="folder-path"
          ref={field}
          role="combobox"
          aria-label="Folder path"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          placeholder="~/code/shop-api"
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={(event) => {
            setTyped(event.target.value)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      {value === '' ? (
        <Button size="lg" disabledReason={away} onClick={browse}>
          Browse…
        </Button>
      ) : null}
      <Button
        kind={secondary ? undefined : 'primary'}
        size="lg"
        disabledReason={away ?? (value.trim() === '' ? 'enter a path first' : null)}
        onClick={submit}
      >
        Open
      </Button>
      {shown ? <FolderOptions id={id} options={options} at={at} onPick={complete} /> : null}
    </div>
  )
}

type KeyAction = { readonly to: number } | { readonly complete: string } | { readonly do: 'submit' | 'close' }

/** What a key does; null = the text field handles it. `options`: those on screen; `at`: the chosen one, -1 for none. */
function keyAction(event: React.KeyboardEvent, options: readonly string[], at: number): KeyAction | null {
  const { key, shiftKey } = event
  const count = options.length
  if (key === 'Enter') {
    const chosen = options[at]
    return chosen === undefined ? { do: 'submit' } : { complete: chosen }
  }
  if (count === 0) return null
  if (key === 'ArrowDown') return { to: (at + 1) % count }
  if (key === 'ArrowUp') return { to: at <= 0 ? count - 1 : at - 1 }
  if (key === 'Escape') return { do: 'close' }
  const completed = options[Math.max(0, at)]
  const isClear = at >= 0 || count === 1
  return key === 'Tab' && !shiftKey && isClear && completed !== undefined ? { complete: completed } : null
}

interface FolderOptionsProps {
  readonly id: string
  readonly options: readonly string[]
  readonly at: number
  readonly onPick: (folder: string) => void
}

function FolderOptions({ id, options, at, onPick }: FolderOptionsProps) {
  return (
    <div className="pop path-options" role="listbox" id={`${id}-list`} aria-label="Folders">
      {options.map((folder, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps focus and takes the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the field points at it by aria-activedescendant.
        <div
          className="mi"
          role="option"
          key={folder}
          id={`${id}-${index}`}
          aria-selected={index === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(folder)}
        >
          <Icon name="folder" size="s" />
          <span className="ell">{folder}</span>
        </div>
      ))}
    </div>
  )
}

/** The typed path and the folders that complete it; `at`: index of the chosen one, -1 for none. */
function useCompletion(initial: string) {
  /** null: nothing was typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed ?? initial
  const prefix = usePaused(cleanPath(typed ?? ''), PAUSE_MS)
  // Completion is optional: an error is reported when the folder is opened.
  const { data } = useQuery('workspaces.complete', prefix === '' ? null : { prefix }, { keep: true })
  const options = data?.folders.slice(0, MAX_OPTIONS) ?? []
  const [at, setAt] = useState(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder is offered.
  useEffect(() => setTyped(null), [initial])
  // biome-ignore lint/correctness/useExhaustiveDependencies: no new option is chosen yet.
  useEffect(() => setAt(-1), [data])

  const complete = (folder: string) => {
    setTyped(folder.endsWith('/') ? folder : `${folder}/`)
    setAt(-1)
  }
  return { value, setTyped, options, at, setAt, complete }
}
