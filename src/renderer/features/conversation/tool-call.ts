/** The icon of each kind of tool call. */
import type { ToolCall } from '../../../contract/conversation.ts'
import { type CallKind, callStatus, isWorking } from '../../../contract/words/tool-calls.ts'
import type { IconName } from '../../ui/icon.tsx'
import { useNow } from '../../ui/use-now.ts'

export const CALL_ICONS: Readonly<Record<CallKind, IconName>> = {
  read: 'eye',
  edit: 'pencil',
  write: 'fileplus',
  delete: 'stop',
  move: 'swap',
  copy: 'copy',
  run: 'terminal',
  search: 'search',
  fetch: 'external',
  plan: 'todo',
  delegate: 'person',
  unknown: 'hex'
}

/** The state of a tool call; while it works, its running time. */
export function CallStatus({ call }: { readonly call: ToolCall }) {
  return callStatus(call, useNow(isWorking(call) ? 'second' : 'minute'))
}
