/**
 * Adds and removes our entries in the `hooks` object of a JSON settings file. Claude Code, Codex, Gemini CLI and Qwen
 * Code share its shape: event name -> groups -> hooks with a command. Every other byte of the file stays.
 */
import type { Node } from 'jsonc-parser'
import { appendEntry, formatJson, indentUnitOf, removeEntry } from './json-edit.ts'
import { findMember, indexOfMember, nameOf, parseJson } from './json-text.ts'

export interface HookEntry {
  readonly event: string
  readonly command: string
  /** In the agent's own unit: seconds, or milliseconds for Gemini CLI. */
  readonly timeout: number
}

/**
 * The text with every missing entry added; present ones stay in place. Throws SettingsSyntaxError, or TypeError for an
 * unexpected shape.
 */
export function addEntries(before: string, entries: readonly HookEntry[]): string {
  let text = before.trim() === '' ? '{}\n' : before
  for (const entry of entries) {
    const root = parseJson(text)
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
    if (commandsOf(groups).includes(entry.command)) continue
    text = appendEntry(text, groups, (indent) => formatJson(group, indent, unit))
  }
  return text
}

/**
 * The text without the entries whose command `isOurs`, and without containers that become empty. Throws
 * SettingsSyntaxError.
 */
export function removeEntries(before: string, isOurs: (command: string) => boolean): string {
  let text = before
  for (;;) {
    const root = parseJson(text)
    const hooks = findMember(root, 'hooks')
    if (hooks?.type !== 'object') return text
    const next = removeFirst(text, root, hooks, isOurs)
    if (next === null) return text
    text = next
  }
}

/** Removes the first entry of ours, or its outermost container that holds nothing else; null when there is none. */
function removeFirst(text: string, root: Node, hooks: Node, isOurs: (command: string) => boolean): string | null {
  const events = hooks.children ?? []
  for (const [at, event] of events.entries()) {
    const groups = event.children?.[1]
    for (const [group, item] of listOf(groups).entries()) {
      const list = findMember(item, 'hooks')
      const ours = listOf(list).findIndex((hook) => isOurs(commandOf(hook)))
      if (!list || !groups || ours === -1) continue
      if (listOf(list).length > 1) return removeEntry(text, list, ours)
      if (listOf(groups).length > 1) return removeEntry(text, groups, group)
      return events.length > 1 ? removeEntry(text, hooks, at) : removeEntry(text, root, indexOfMember(root, 'hooks'))
    }
  }
  return null
}

export interface FoundEntry {
  readonly event: string
  readonly command: string
}

/** Every command of the file's hooks. Throws SettingsSyntaxError. */
export function listEntries(text: string): FoundEntry[] {
  if (text.trim() === '') return []
  const hooks = findMember(parseJson(text), 'hooks')
  if (hooks?.type !== 'object') return []
  return (hooks.children ?? []).flatMap((event) =>
    commandsOf(event.children?.[1]).map((command) => ({ event: nameOf(event), command }))
  )
}

function commandsOf(groups: Node | undefined): string[] {
  return listOf(groups).flatMap((group) => listOf(findMember(group, 'hooks')).map(commandOf))
}

function commandOf(hook: Node): string {
  const command = findMember(hook, 'command')
  return command?.type === 'string' ? (command.value as string) : ''
}

/** The items of an array; none of any other value. */
function listOf(node: Node | null | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : []
}
