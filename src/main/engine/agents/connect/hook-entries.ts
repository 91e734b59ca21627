/**
 * Adds and removes our entries in the `hooks` object of a JSON settings file. Claude Code, Codex, Gemini CLI and Qwen
 * Code share its shape: event name -> groups -> hooks with a command. Every other byte of the file stays.
 */
import type { Node } from 'jsonc-parser'
import {
  addValue,
  appendEntry,
  findMember,
  findValue,
  nameOf,
  parseJson,
  removeEntry,
  removeMember
} from './json-edit.ts'

interface HookEntry {
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
  let text = before
  for (const { event, command, timeout } of entries) {
    const group = { hooks: [{ type: 'command', command, timeout }] }
    const groups = findValue(text, ['hooks', event])
    if (!groups) text = addValue(text, ['hooks', event], [group])
    else if (groups.type !== 'array') throw new TypeError(`"hooks.${event}" is not a list`)
    else if (!commandsOf(groups).includes(command)) text = appendEntry(text, groups, group)
  }
  return text
}

/**
 * The text without the entries whose command `isOurs`, and without containers that become empty. Throws
 * SettingsSyntaxError.
 */
export function removeEntries(before: string, isOurs: (command: string) => boolean): string {
  let text = before
  for (let next: string | null = before; next !== null; next = removeFirst(text, isOurs)) text = next
  return text
}

/** Removes the first entry of ours, or its outermost container that holds nothing else; null when there is none. */
function removeFirst(text: string, isOurs: (command: string) => boolean): string | null {
  const root = parseJson(text)
  for (const [at, event] of eventsOf(root).entries()) {
    const groups = event.children?.[1]
    for (const [group, item] of listOf(groups).entries()) {
      const list = findMember(item, 'hooks')
      const ours = listOf(list).findIndex((hook) => isOurs(commandOf(hook)))
      if (!list || !groups || ours === -1) continue
      if (listOf(list).length > 1) return removeEntry(text, list, ours)
      if (listOf(groups).length > 1) return removeEntry(text, groups, group)
      return removeMember(text, root, 'hooks', at)
    }
  }
  return null
}

/** Every command of the file's hooks. Throws SettingsSyntaxError. */
export function listEntries(text: string): Pick<HookEntry, 'event' | 'command'>[] {
  if (text.trim() === '') return []
  return eventsOf(parseJson(text)).flatMap((event) =>
    commandsOf(event.children?.[1]).map((command) => ({ event: nameOf(event), command }))
  )
}

/** The properties of the `hooks` object. */
function eventsOf(root: Node): readonly Node[] {
  const hooks = findMember(root, 'hooks')
  return hooks?.type === 'object' ? (hooks.children ?? []) : []
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
