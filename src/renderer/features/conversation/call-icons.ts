/** The icon of each kind of tool call. */
import type { CallKind } from '../../../contract/words/tool-calls.ts'
import type { IconName } from '../../ui/icon.tsx'

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
