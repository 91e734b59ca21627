/** What the palette finds: actions, runs, files and checkpoints whose words contain what was typed, and what was said and changed. Pure. */
import type { FileChange } from '../../../contract/diff.ts'
import type { SearchHit } from '../../../contract/search.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
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
  | { readonly kind: 'hit'; readonly id: string; readonly title: string; readonly hit: SearchHit }

export interface PaletteSection {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

const MOST = { actions: 12, runs: 6, files: 8, checkpoints: 4, prompts: 6, messages: 6, changes: 6 } as const
/** As many hits as can be shown, and some that are shown already. */
export const MOST_HITS = 80

/** Every word typed occurs in the text. */
export function matches(text: string, typed: string): boolean {
  const lower = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** `found`: entries of the timeline; `hits`: what a search of everything recorded found. */
export function sectionsOf(
  typed: string,
  state: CommandState,
  found: readonly TimelineEntry[],
  hits: readonly SearchHit[] = []
): PaletteSection[] {
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
  const runs = ofKind('run', MOST.runs)
  // A prompt that is the title of a run shown above is the same thing.
  const told = new Set(runs.map(({ id, title }) => `${id} ${title}`))
  const hitsOf = (kind: SearchHit['kind'], most: number, shown: (hit: SearchHit) => boolean = () => false) =>
    hits
      .filter((hit) => hit.kind === kind && !shown(hit))
      .slice(0, most)
      .map((hit): PaletteItem => ({ kind: 'hit', id: hitId(hit), title: hit.text, hit }))
  const here = new Set(files.map(({ id }) => id))
  const paths = hitsOf('path', MOST.files - files.length, ({ path }) => path === null || here.has(path))
  const sections: PaletteSection[] = [
    { title: 'Actions', items: actions.slice(0, MOST.actions) },
    { title: 'Runs', items: runs },
    { title: 'Prompts', items: hitsOf('prompt', MOST.prompts, ({ run, text }) => told.has(`${run} ${text}`)) },
    { title: 'Messages', items: hitsOf('message', MOST.messages) },
    { title: 'Files', items: [...files, ...paths] },
    { title: 'Changes', items: hitsOf('change', MOST.changes) },
    { title: 'Checkpoints', items: ofKind('checkpoint', MOST.checkpoints) }
  ]
  return sections.filter(({ items }) => items.length > 0)
}

function hitId({ kind, session, message, run, path, seq, text }: SearchHit): string {
  return [kind, session ?? run, message ?? path, seq, text.slice(0, 40)].join(' ').replace(/\s/g, '_')
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
