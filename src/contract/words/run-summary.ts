/** A run in a few facts: its commands, whether its tests passed, and its files by kind. Pure. */
import type { ToolCall } from '../conversation.ts'
import type { ChangeKind, FileChange } from '../diff.ts'
import { formatNumber, plural } from './numbers.ts'
import { isShell } from './tool-calls.ts'

/** Starts of commands that run tests. */
const TESTS =
  /(^|&&\s*|;\s*)(\w+=\S+\s+)*((npm|pnpm|yarn|bun)( run)? (test|t\b)|(npx |bunx |pnpm exec )?(vitest|jest|mocha|playwright test|ava)\b|node --test|deno test|pytest|python3? -m (pytest|unittest)|tox\b|cargo (test|nextest)|go test|mvn( \S+)* (test|verify)|(\.\/)?gradlew? (test|check)|dotnet test|(bundle exec )?(rspec|rake test)|(vendor\/bin\/)?phpunit|mix test|make (test|check)|ctest|swift test|flutter test)/

/** What follows decides how such a command ends, so its end says nothing about the tests. */
const HIDES_THE_END = /[^|]\|[^|]|\|\||;\s*\S|&\s*$/

/** How the last tests of these calls ended; null without any, or if the command did not show it. */
export function testsOf(calls: readonly Pick<ToolCall, 'name' | 'summary' | 'state'>[]): 'passed' | 'failed' | null {
  const last = calls.findLast(({ name, summary }) => isShell(name) && TESTS.test(summary.trim()))
  if (!last || HIDES_THE_END.test(last.summary)) return null
  return last.state === 'done' ? 'passed' : last.state === 'failed' ? 'failed' : null
}

/** "12 tool calls, 4 commands"; "" without calls. */
export function callsText(calls: readonly Pick<ToolCall, 'name'>[]): string {
  const commands = calls.filter(({ name }) => isShell(name)).length
  if (calls.length === 0) return ''
  if (commands === calls.length) return plural(commands, 'command')
  return [plural(calls.length, 'tool call'), ...(commands > 0 ? [plural(commands, 'command')] : [])].join(', ')
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
