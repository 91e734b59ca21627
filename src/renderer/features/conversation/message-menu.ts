/** The menu of one message, and the text that its Copy command copies. */
import type { RestoreRequest } from '../../../contract/restore.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { commentableOf, type MessageRow, turnOfRow } from './message-rows.ts'

interface MenuActions {
  /** Why no comment can be written now; null if it can. */
  readonly offline: string | null
  /** Why nothing can be restored or undone now, null if it can. */
  readonly unavailable: string | null
  readonly openPreview: (request: RestoreRequest) => void
  /** Shows the changes of the message's turn. */
  readonly showChanges: (row: MessageRow) => void
  /** Opens a box for a comment on the message or the tool call. */
  readonly comment: (row: MessageRow) => void
  readonly copy: (row: MessageRow) => void
}

export function restoreRequestOf(row: MessageRow | undefined): RestoreRequest | null {
  const turn = turnOfRow(row)
  return turn && { kind: 'restore', target: `${turn.id}:start` }
}

const NOT_COMMENTABLE = {
  calls: 'Open these calls first: each has its own comments',
  marker: 'Only prompts, answers and tool calls have comments'
} as const

export function messageMenu(row: MessageRow, actions: MenuActions): readonly MenuEntry[] {
  const { offline, unavailable, openPreview, showChanges, comment, copy } = actions
  const turn = turnOfRow(row)
  const noTurn = turn ? null : 'This message belongs to no turn'
  const disabled = noTurn ?? unavailable
  const preview = (request: RestoreRequest | null) => () => request && openPreview(request)
  return [
    {
      id: 'restore',
      label: 'Restore to here…',
      icon: 'restore',
      keys: 'R',
      disabled,
      run: preview(restoreRequestOf(row))
    },
    {
      id: 'undo',
      label: 'Undo this turn…',
      icon: 'undo',
      disabled,
      run: preview(turn && { kind: 'undo-run', run: turn.id })
    },
    {
      id: 'files',
      label: 'Show changes of this turn',
      icon: 'list',
      keys: 'Enter',
      disabled: noTurn,
      run: () => showChanges(row)
    },
    'separator',
    {
      id: 'comment',
      label: row.kind === 'call' ? 'Comment on this tool call' : 'Comment on this message',
      icon: 'chat',
      keys: 'C',
      disabled: commentableOf(row) ? offline : NOT_COMMENTABLE[row.kind === 'call' ? 'calls' : 'marker'],
      run: () => comment(row)
    },
    { id: 'copy', label: 'Copy text', icon: 'copy', keys: 'Mod+C', run: () => copy(row) }
  ]
}

export function textOfRow(row: MessageRow): string {
  if (row.kind === 'marker') return row.text
  if (row.kind !== 'call') return row.message.text
  return row.calls.flatMap(({ summary, output }) => [summary, output?.text ?? []].flat()).join('\n')
}
