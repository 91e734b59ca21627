/** Palette results: actions, runs, files and checkpoints that match the typed words, and search hits. Pure. */
import type { FileChange } from '../../../contract/diff.ts'
import type { SearchHit } from '../../../contract/search.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import type { Command } from '../../commands/command.ts'
import type { CommandState, FileSymbol } from '../../commands/state.ts'
import { paletteCommands, titleOfCommand } from '../../commands/table.ts'

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
  | { readonly kind: 'symbol'; readonly id: string; readonly title: string; readonly symbol: FileSymbol }
  | { readonly kind: 'hit'; readonly id: string; readonly title: string; readonly hit: SearchHit }

export interface PaletteSection {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

const LIMITS = {
  actions: 12,
  runs: 6,
  files: 8,
  checkpoints: 4,
  prompts: 6,
  notes: 4,
  messages: 6,
  changes: 6
} as const
/** More hits than fit in the palette, because some repeat entries and files that are already listed. */
export const HIT_LIMIT = 80

/** Whether the text contains every typed word. */
export function matches(text: string, typed: string): boolean {
  const lower = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** A text that begins with it searches the definitions of the open file. */
const SYMBOLS = '@'
/** More of them than anybody reads. */
const MOST_SYMBOLS = 300

export const isForSymbols = (typed: string): boolean => typed.startsWith(SYMBOLS)

function symbolsOf(typed: string, state: CommandState): PaletteSection[] {
  const symbols = state.workspace?.review()?.symbols() ?? []
  const items = symbols
    .filter(({ name }) => matches(name, typed.slice(SYMBOLS.length).trim()))
    .slice(0, MOST_SYMBOLS)
    .map((symbol): PaletteItem => ({ kind: 'symbol', id: String(symbol.line), title: symbol.name, symbol }))
  return items.length > 0 ? [{ title: 'Definitions in this file', items }] : []
}

/** `found`: timeline entries that match; `hits`: results of the full search. */
export function sectionsOf(
  typed: string,
  state: CommandState,
  found: readonly TimelineEntry[],
  hits: readonly SearchHit[] = []
): PaletteSection[] {
  if (isForSymbols(typed)) return symbolsOf(typed, state)
  const entries = [
    ...new Map([...found, ...(state.workspace?.entries ?? [])].map((entry) => [entry.id, entry])).values()
  ]
  const actions = paletteCommands(state)
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
  // Available actions come first; the others show why they are unavailable.
  actions.sort((a, b) => Number(a.kind === 'action' && a.why !== null) - Number(b.kind === 'action' && b.why !== null))
  const ofKind = (kind: TimelineEntry['kind'], limit: number) =>
    entries
      .filter(
        (entry) =>
          entry.kind === kind && matches(entry.kind === 'run' ? `${entry.title} ${entry.prompt}` : entry.title, typed)
      )
      .sort((a, b) => b.at - a.at)
      .slice(0, limit)
      .map((entry): PaletteItem => ({ kind: 'entry', id: entry.id, title: entry.title, entry }))
  const files = (state.workspace?.files ?? [])
    .filter((file) => matches(file.path, typed))
    .slice(0, LIMITS.files)
    .map((file): PaletteItem => ({ kind: 'file', id: file.path, title: file.path, file }))
  const runs = ofKind('run', LIMITS.runs)
  // A prompt that is the title of a listed run is not repeated.
  const listedPrompts = new Set(runs.map(({ id, title }) => `${id} ${title}`))
  const hitsOf = (kind: SearchHit['kind'], limit: number, shown: (hit: SearchHit) => boolean = () => false) =>
    hits
      .filter((hit) => hit.kind === kind && !shown(hit))
      .slice(0, limit)
      .map((hit): PaletteItem => ({ kind: 'hit', id: hitId(hit), title: hit.text, hit }))
  const listedPaths = new Set(files.map(({ id }) => id))
  const paths = hitsOf('path', LIMITS.files - files.length, ({ path }) => path === null || listedPaths.has(path))
  const sections: PaletteSection[] = [
    { title: 'Actions', items: actions.slice(0, LIMITS.actions) },
    { title: 'Runs', items: runs },
    {
      title: 'Prompts',
      items: hitsOf('prompt', LIMITS.prompts, ({ run, text }) => listedPrompts.has(`${run} ${text}`))
    },
    {
      title: 'Names and notes',
      items: hitsOf('note', LIMITS.notes, ({ run, text }) => listedPrompts.has(`${run} ${text}`))
    },
    { title: 'Messages', items: hitsOf('message', LIMITS.messages) },
    { title: 'Files', items: [...files, ...paths] },
    { title: 'Changes', items: hitsOf('change', LIMITS.changes) },
    { title: 'Checkpoints', items: ofKind('checkpoint', LIMITS.checkpoints) }
  ]
  return sections.filter(({ items }) => items.length > 0)
}

function hitId({ kind, session, message, run, path, seq, text }: SearchHit): string {
  return [kind, session ?? run, message ?? path, seq, text.slice(0, 40)].join(' ').replace(/\s/g, '_')
}

/** Splits a title into parts; `hit` marks the typed words. */
export function marked(title: string, typed: string): { readonly text: string; readonly hit: boolean }[] {
  const words = typed.split(/\s+/).filter(Boolean)
  if (words.length === 0) return [{ text: title, hit: false }]
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return title
    .split(new RegExp(`(${escaped.join('|')})`, 'gi'))
    .filter((text) => text !== '')
    .map((text) => ({ text, hit: words.some((word) => word.toLowerCase() === text.toLowerCase()) }))
}
