/** A run in a few facts: its commands, and its files by kind. Pure. */
import type { ToolCall } from '../conversation.ts'
import type { ChangeKind, FileChange } from '../diff.ts'
import { formatNumber, plural } from './numbers.ts'
import { isShell } from './tool-calls.ts'

/** "12 tool calls (4 commands)"; "" without calls. */
export function callsText(calls: readonly Pick<ToolCall, 'name'>[]): string {
  const commands = calls.filter(({ name }) => isShell(name)).length
  if (calls.length === 0) return ''
  if (commands === calls.length) return plural(commands, 'command')
  const all = plural(calls.length, 'tool call')
  return commands > 0 ? `${all} (${plural(commands, 'command')})` : all
}

const KINDS = {
  added: 'new',
  modified: 'changed',
  mode: 'changed',
  type: 'changed',
  renamed: 'renamed',
  deleted: 'deleted'
} as const satisfies Record<ChangeKind, string>
const WORDS = [...new Set(Object.values(KINDS))]

/** "6 files: 3 new, 2 changed, 1 deleted"; "3 new files" if all are of one kind. */
export function filesText(files: readonly Pick<FileChange, 'change'>[]): string {
  const counts = WORDS.flatMap((word) => {
    const count = files.filter(({ change }) => KINDS[change] === word).length
    return count > 0 ? [{ count, word }] : []
  })
  const [only] = counts
  if (only?.count === files.length) return plural(only.count, `${only.word} file`)
  const parts = counts.map(({ count, word }) => `${formatNumber(count)} ${word}`)
  return [plural(files.length, 'file'), parts.join(', ')].filter(Boolean).join(': ')
}
