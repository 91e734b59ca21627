/** The agent's plan, above the messages: its to-do list with the status of each item, and its plan text. */
import { useId, useState } from 'react'
import type { Todo } from '../../../contract/conversation.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { MessageText } from './message-text.tsx'

interface TodosProps {
  readonly todos: readonly Todo[]
  readonly plan: string
}

const STATUS_ICONS: Readonly<Record<Todo['status'], { readonly className: string; readonly icon: IconName | null }>> = {
  completed: { className: 'done', icon: 'okc' },
  in_progress: { className: 'now', icon: 'half' },
  pending: { className: '', icon: null }
}
const STATUS_LABELS: Readonly<Record<Todo['status'], string>> = {
  completed: 'done',
  in_progress: 'in progress',
  pending: 'to do'
}

export function Todos({ todos, plan }: TodosProps) {
  const id = useId()
  const done = todos.filter(({ status }) => status === 'completed').length
  const current = todos.find(({ status }) => status === 'in_progress')
  const [open, setOpen] = useState(done < todos.length)
  if (todos.length === 0 && plan === '') return null
  return (
    <section className="plan" aria-label="Plan">
      <button
        type="button"
        className="plan-head"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen((before) => !before)}
      >
        <Icon name={open ? 'down' : 'right'} size="s" />
        <b>Plan</b>
        {todos.length > 0 ? (
          <span className="muted num">
            {done} of {todos.length} done
          </span>
        ) : null}
        {!open && current ? <span className="ell muted">{current.text}</span> : null}
      </button>
      <div id={id} hidden={!open} className="plan-in">
        {todos.length > 0 ? (
          <ul className="todos" aria-label={`Plan, ${done} of ${todos.length} done`}>
            {todos.map(({ text, status }, index) => {
              const { className, icon } = STATUS_ICONS[status]
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list replaced as a whole; its texts may repeat.
                <li key={index} className={className}>
                  {icon ? <Icon name={icon} /> : <span className="o" />}
                  <span dir="auto">{text}</span>
                  <span className="sr">, {STATUS_LABELS[status]}</span>
                </li>
              )
            })}
          </ul>
        ) : null}
        {plan ? <MessageText text={plan} /> : null}
      </div>
    </section>
  )
}
