/** What the palette finds: actions, runs, files and checkpoints whose words contain what was typed. Pure. */
import type { FileChange, TimelineEntry } from '../../../contract/domain.ts'
import type { CommandState } from '../../commands/state.ts'
import { COMMANDS, type Command, titleOfCommand } from '../../commands/table.ts'

export type PaletteItem =
  | {
      readonly kind: 'action'
      readonly id: string
      readonly title: string
      readonly command: Command
      readonly why: string | null
    }
  | { readonly kind: 'entry'; readonly id: string; readonly title: string; readonly entry: TimelineEntry }
  | { readonly kind: 'file'; readonly id: string; readonly title: string; readonly file: FileChange }

export interface PaletteSection {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

const MOST = { actions: 12, runs: 6, files: 8, checkpoints: 4 } as const

/** Every word typed occurs in the text. */
export function matches(text: string, typed: string): boolean {
  const lower = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

export function sectionsOf(typed: string, state: CommandState, found: readonly TimelineEntry[]): PaletteSection[] {
  const entries = [
    ...new Map([...found, ...(state.workspace?.entries ?? [])].map((entry) => [entry.id, entry])).values()
  ]
  const actions = COMMANDS.filter((command) => command.palette)
    .map(
      (command): PaletteItem => ({
        kind: 'action',
        id: command.id,
        title: titleOfCommand(command, state),
        command,
        why: command.unavailable?.(state) ?? null
      })
    )
    .filter(({ title }) => matches(title, typed))
  // What can be done comes first; the rest says why it cannot.
  actions.sort((a, b) => Number(a.kind === 'action' && a.why !== null) - Number(b.kind === 'action' && b.why !== null))
  const ofKind = (kind: TimelineEntry['kind'], most: number) =>
    entries
      .filter((entry) => entry.kind === kind && matches(entry.title, typed))
      .sort((a, b) => b.at - a.at)
      .slice(0, most)
      .map((entry): PaletteItem => ({ kind: 'entry', id: entry.id, title: entry.title, entry }))
  const files = (state.workspace?.files ?? [])
    .filter((file) => matches(file.path, typed))
    .slice(0, MOST.files)
    .map((file): PaletteItem => ({ kind: 'file', id: file.path, title: file.path, file }))
  const sections: PaletteSection[] = [
    { title: 'Actions', items: actions.slice(0, MOST.actions) },
    { title: 'Runs', items: ofKind('run', MOST.runs) },
    { title: 'Files', items: files },
    { title: 'Checkpoints', items: ofKind('checkpoint', MOST.checkpoints) }
  ]
  return sections.filter(({ items }) => items.length > 0)
}

/** The pieces of a title, those that were typed marked. */
export function marked(title: string, typed: string): { readonly text: string; readonly hit: boolean }[] {
  const words = typed.split(/\s+/).filter(Boolean)
  if (words.length === 0) return [{ text: title, hit: false }]
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return title
    .split(new RegExp(`(${escaped.join('|')})`, 'gi'))
    .filter((text) => text !== '')
    .map((text) => ({ text, hit: words.some((word) => word.toLowerCase() === text.toLowerCase()) }))
}
