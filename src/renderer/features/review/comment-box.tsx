/** A field for the Markdown of a comment. What is typed is a draft until it is saved. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTask } from '../../client/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from './drafts.ts'

interface CommentBoxProps {
  /** Accessible name. */
  readonly label: string
  /** Where the draft is kept. */
  readonly draftKey: string
  /** The text that is edited. */
  readonly initial?: string
  /** Replaces "Comment". */
  readonly saveLabel?: string
  /** Shown below the field. */
  readonly note?: string | null
  /** Rejects if it was not saved: the draft stays. */
  readonly onSave: (text: string) => Promise<unknown>
  /** The box closes; `saved` false: with its draft kept. */
  readonly onClose: (saved: boolean) => void
}

export function CommentBox(props: CommentBoxProps) {
  const { label, draftKey, initial = '', saveLabel = 'Comment', note, onSave, onClose } = props
  const [draft, setDraft] = useDraft(draftKey)
  const [value, setValue] = useState(draft === '' ? initial : draft)
  const field = useRef<HTMLTextAreaElement>(null)
  const { busy, problem, run } = useTask()
  const problemId = useId()
  useEffect(() => {
    const focus = () => field.current?.focus({ preventScroll: true })
    // At once, so that no letter is lost; in a diff the box gets its place in the next frame.
    focus()
    const frame = requestAnimationFrame(focus)
    return () => cancelAnimationFrame(frame)
  }, [])
  const save = async () => {
    if (busy || value.trim() === '') return
    if (!(await run(() => onSave(value.trim())))) return
    setDraft('')
    onClose(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Letters are text here, and no commands.
    if (event.key === 'Escape') onClose(false)
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field and its buttons share their keys.
    <div className="comment-box" onKeyDown={onKeyDown}>
      <textarea
        className="text-field"
        ref={field}
        aria-label={label}
        aria-describedby={problem ? problemId : undefined}
        placeholder="Markdown"
        rows={3}
        maxLength={20_000}
        value={value}
        onChange={({ target }) => {
          setValue(target.value)
          setDraft(target.value === initial ? '' : target.value)
        }}
      />
      {problem ? (
        <p id={problemId} className="small c-danger" role="alert">
          {problem} Your text is kept as a draft.
        </p>
      ) : null}
      <div className="comment-buttons">
        {note ? <span className="cap muted grow">{note}</span> : <span className="grow" />}
        <Button size="sm" keys="Escape" onClick={() => onClose(false)}>
          Close
        </Button>
        <Button
          size="sm"
          kind="primary"
          keys="Mod+Enter"
          disabledReason={value.trim() === '' ? 'write something first' : busy ? 'saving' : null}
          onClick={() => void save()}
        >
          {saveLabel}
        </Button>
      </div>
    </div>
  )
}
