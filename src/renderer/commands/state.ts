/** What commands see and do: filled by the app and, while a folder is open, by its screen. */
import type { FileChange } from '../../contract/diff.ts'
import type { SearchHit } from '../../contract/search.ts'
import type { TimelineEntry } from '../../contract/timeline.ts'
import type { WorkspaceId } from '../../contract/workspace.ts'
import type { SettingsPlace } from './settings-pages.ts'

export type Theme = 'system' | 'light' | 'dark'
/** `files` and `conversation` share one place. */
export type Pane = 'timeline' | 'files' | 'conversation' | 'diff'

export interface NodeCommands {
  readonly restoreTitle: string
  readonly restoreUnavailable: string | null
  readonly undoTitle: string
  readonly undoUnavailable: string | null
}

export interface ReviewCommands {
  keepChange(): void
  undoChange(): void
  keepFile(): void
  undoFile(): void
  /** Opens the history of the file. */
  versions(): void
}

export interface WorkspaceCommands {
  readonly id: WorkspaceId
  /** Loaded entries and the files on screen, for the palette. */
  readonly entries: readonly TimelineEntry[]
  readonly files: readonly FileChange[]
  /** Selects an entry of the timeline. */
  selectEntry(id: string): void
  selectFile(path: string): void
  /** Goes to what a search found. */
  openHit(hit: SearchHit): void
  /** The selected row of the timeline. */
  readonly node: NodeCommands | null
  /** Why there is no conversation to show, null when there is one. */
  readonly conversationUnavailable: string | null
  readonly undoUnavailable: string | null
  readonly redoUnavailable: string | null
  /** Decisions about the open file; null while no diff is shown. */
  review(): ReviewCommands | null
  /** Two entries are compared. */
  readonly pair: { readonly swap: () => void; readonly clear: () => void } | null
  restoreHere(): void
  undoThis(): void
  undoRestore(): void
  redoRestore(): void
  pin(): void
  check(): void
  showCoverage(): void
  focusPane(pane: Pane): void
  stepPane(by: 1 | -1): void
  toggleTimeline(): void
  filterTimeline(): void
}

export interface CommandState {
  readonly host: 'electron' | 'browser'
  readonly connected: boolean
  readonly workspace: WorkspaceCommands | null
  /** `text`: already typed there. */
  openPalette(text?: string): void
  openFolder(): void
  /** Absent: at the page that was open last. */
  openSettings(place?: SettingsPlace): void
  openHelp(): void
  setTheme(theme: Theme): void
  goHome(): void
}
