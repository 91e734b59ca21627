/**
 * Adds and removes our entries in the `hooks` object of a JSON settings file. Claude Code, Codex, Gemini CLI and Qwen
 * Code share its shape: event name -> groups -> hooks with a command. Every other byte of the file stays.
 */
import { appendEntry, formatJson, indentUnitOf, removeEntry } from './json-edit.ts'
import { findMember, parseSpans, type Span } from './json-spans.ts'

export interface HookEntry {
  readonly event: string
  readonly command: string
  /** In the agent's own unit: seconds, or milliseconds for Gemini CLI. */
  readonly timeout: number
}

/**
 * The text with every missing entry added; present ones stay in place. Throws JsonSyntaxError, or TypeError for an
 * unexpected shape.
 */
export function addEntries(before: string, entries: readonly HookEntry[]): string {
  let text = before.trim() === '' ? '{}\n' : before
  for (const entry of entries) {
    const root = parseSpans(text)
    if (root.type !== 'object') throw new TypeError('the file is not a JSON object')
    const group = { hooks: [{ type: 'command', command: entry.command, timeout: entry.timeout }] }
    const unit = indentUnitOf(text)
    const hooks = findMember(root, 'hooks')
    if (!hooks) {
      text = appendEntry(text, root, (indent) => `"hooks": ${formatJson({ [entry.event]: [group] }, indent, unit)}`)
      continue
    }
    if (hooks.type !== 'object') throw new TypeError('"hooks" is not an object')
    const groups = findMember(hooks, entry.event)
    if (!groups) {
      text = appendEntry(
        text,
        hooks,
        (indent) => `${JSON.stringify(entry.event)}: ${formatJson([group], indent, unit)}`
      )
      continue
    }
    if (groups.type !== 'array') throw new TypeError(`"hooks.${entry.event}" is not a list`)
    if (commandsOf(groups).some((command) => command.command === entry.command)) continue
    text = appendEntry(text, groups, (indent) => formatJson(group, indent, unit))
  }
  return text
}

/**
 * The text without the entries whose command `isOurs`, and without containers that become empty. Throws
 * JsonSyntaxError.
 */
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

/** Removes the first entry of ours, or its outermost container that holds nothing else; null when there is none. */
function removeFirst(text: string, root: Span, hooks: Span, isOurs: (command: string) => boolean): string | null {
  if (hooks.type !== 'object' || root.type !== 'object') return null
  for (const [at, event] of hooks.members.entries()) {
    if (event.value.type !== 'array') continue
    for (const [group, item] of event.value.items.entries()) {
      const list = findMember(item, 'hooks')
      if (list?.type !== 'array') continue
      const ours = list.items.findIndex((hook) => isOurs(commandOf(hook)))
      if (ours === -1) continue
      if (list.items.length > 1) return removeEntry(text, list, ours)
      if (event.value.items.length > 1) return removeEntry(text, event.value, group)
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

/** Every command of the file's hooks. Throws JsonSyntaxError. */
export function listEntries(text: string): FoundEntry[] {
  if (text.trim() === '') return []
  const hooks = findMember(parseSpans(text), 'hooks')
  if (hooks?.type !== 'object') return []
  return hooks.members.flatMap(({ key, value }) => commandsOf(value).map(({ command }) => ({ event: key, command })))
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
