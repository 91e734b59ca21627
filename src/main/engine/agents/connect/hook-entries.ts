/** Our entries in the `hooks` of a settings file: Claude Code, Codex, Gemini CLI and Qwen Code share its shape. */
import { appendEntry, formatJson, indentUnitOf, removeEntry } from './json-edit.ts'
import { findMember, parseSpans, type Span } from './json-spans.ts'

export interface HookEntry {
  readonly event: string
  readonly command: string
  /** In the agent's own unit. */
  readonly timeout: number
}

/** The text with every entry that is missing; an entry that is there stays where it is. Throws NotJson. */
export function addEntries(before: string, entries: readonly HookEntry[]): string {
  let text = before.trim() === '' ? '{}\n' : before
  for (const entry of entries) {
    const root = parseSpans(text)
    if (root.type !== 'object') throw new TypeError('the file holds no object')
    const group = { hooks: [{ type: 'command', command: entry.command, timeout: entry.timeout }] }
    const unit = indentUnitOf(text)
    const hooks = findMember(root, 'hooks')
    if (!hooks) {
      text = appendEntry(text, root, (indent) => `"hooks": ${formatJson({ [entry.event]: [group] }, indent, unit)}`)
      continue
    }
    if (hooks.type !== 'object') throw new TypeError('its "hooks" is no object')
    const groups = findMember(hooks, entry.event)
    if (!groups) {
      text = appendEntry(
        text,
        hooks,
        (indent) => `${JSON.stringify(entry.event)}: ${formatJson([group], indent, unit)}`
      )
      continue
    }
    if (groups.type !== 'array') throw new TypeError(`its "hooks.${entry.event}" is no list`)
    if (commandsOf(groups).some((command) => command.command === entry.command)) continue
    text = appendEntry(text, groups, (indent) => formatJson(group, indent, unit))
  }
  return text
}

/** The text without the entries whose command `isOurs`; what becomes empty by that goes too. Throws NotJson. */
export function removeEntries(before: string, isOurs: (command: string) => boolean): string {
  let text = before
  for (;;) {
    const root = parseSpans(text)
    const hooks = findMember(root, 'hooks')
    if (hooks?.type !== 'object') return text
    const next = removeFirst(text, root, hooks, isOurs)
    if (next === null) return text
    text = next
  }
}

function removeFirst(text: string, root: Span, hooks: Span, isOurs: (command: string) => boolean): string | null {
  if (hooks.type !== 'object' || root.type !== 'object') return null
  for (const [at, one] of hooks.members.entries()) {
    if (one.value.type !== 'array') continue
    for (const [group, item] of one.value.items.entries()) {
      const list = findMember(item, 'hooks')
      if (list?.type !== 'array') continue
      const ours = list.items.findIndex((hook) => isOurs(commandOf(hook)))
      if (ours === -1) continue
      if (list.items.length > 1) return removeEntry(text, list, ours)
      if (one.value.items.length > 1) return removeEntry(text, one.value, group)
      if (hooks.members.length > 1) return removeEntry(text, hooks, at)
      return removeEntry(
        text,
        root,
        root.members.findLastIndex((entry) => entry.key === 'hooks')
      )
    }
  }
  return null
}

export interface FoundEntry {
  readonly event: string
  readonly command: string
}

/** Every command of the file's hooks. Throws NotJson. */
export function listEntries(text: string): FoundEntry[] {
  if (text.trim() === '') return []
  const hooks = findMember(parseSpans(text), 'hooks')
  if (hooks?.type !== 'object') return []
  return hooks.members.flatMap((one) => commandsOf(one.value).map(({ command }) => ({ event: one.key, command })))
}

function commandsOf(groups: Span): { readonly command: string }[] {
  if (groups.type !== 'array') return []
  return groups.items.flatMap((group) => {
    const list = findMember(group, 'hooks')
    return list?.type === 'array' ? list.items.map((hook) => ({ command: commandOf(hook) })) : []
  })
}

function commandOf(hook: Span): string {
  const command = findMember(hook, 'command')
  return command?.type === 'value' && typeof command.value === 'string' ? command.value : ''
}
