/** State and actions of commands, provided by the app and, for an open workspace, by its screen. */
import type { FileChange } from '../../contract/diff.ts'
import type { SearchHit } from '../../contract/search.ts'
import type { TimelineEntry } from '../../contract/timeline.ts'
import type { WorkspaceId } from '../../contract/workspace.ts'
import type { DiffView } from './pane-keys.ts'
import type { SettingsPlace } from './settings-pages.ts'

export type Theme = 'system' | 'light' | 'dark'
/** `files` and `conversation` share one pane. */
export type Pane = 'timeline' | 'files' | 'conversation' | 'diff'

interface NodeCommand {
  readonly label: string
  readonly disabledReason: string | null
}

/** A definition or heading in the shown text. */
export interface FileSymbol {
  readonly name: string
  /** From 1. */
  readonly line: number
  /** Number of symbols that contain it. */
  readonly depth: number
}

export interface ReviewCommands {
  /** Why nothing can be kept now, null if it can. */
  readonly keepUnavailable: string | null
  keepChange(): void
  undoChange(): void
  keepFile(): void
  undoFile(): void
  /** Opens the history of the file. */
  versions(): void
  /** Shows who wrote each line of the file. */
  authors(): void
  /** Changes how the diff is shown. */
  view(command: DiffView): void
  /** Opens the box for a comment on the selected lines. */
  comment(): void
  /** Those of the open file; none while its text is not on screen. */
  symbols(): readonly FileSymbol[]
  /** Shows a line of the open file. */
  goToLine(line: number): void
}

export interface WorkspaceCommands {
  readonly id: WorkspaceId
  /** Loaded entries and the files on screen, for the palette. */
  readonly entries: readonly TimelineEntry[]
  readonly files: readonly FileChange[]
  /** Selects an entry of the timeline. */
  selectEntry(id: string): void
  selectFile(path: string): void
  /** Shows a search hit. */
  openHit(hit: SearchHit): void
  /** The selected row of the timeline. */
  readonly node: { readonly restore: NodeCommand; readonly undo: NodeCommand } | null
  /** Why there is no conversation, null if there is one. */
  readonly conversationUnavailable: string | null
  /** Why there is no finding to go to, null if there is one. */
  readonly findingsUnavailable: string | null
  /** Why there is no position at which tests passed, null if there is one. */
  readonly greenUnavailable: string | null
  /** Why nothing can be replayed, null if the selection can. */
  readonly replayUnavailable: string | null
  /** Why no restore is possible now, whatever it is of; null if it is. */
  readonly restoreUnavailable: string | null
  readonly undoUnavailable: string | null
  readonly redoUnavailable: string | null
  /** Review actions of the open file; null if no diff is shown. */
  review(): ReviewCommands | null
  /** Set while two entries are compared. */
  readonly pair: { readonly swap: () => void; readonly clear: () => void } | null
  restoreHere(): void
  undoThis(): void
  /** Opens the replay of the selection. */
  openReplay(): void
  /** Opens the preview of a restore to where tests passed last. */
  restoreGreen(): void
  undoRestore(): void
  redoRestore(): void
  pin(): void
  /** Why there is no run to name or export, null if there is one. */
  readonly runUnavailable: string | null
  /** Why that run cannot be exported yet, null if it can. */
  readonly exportUnavailable: string | null
  /** Opens the dialog that names the selected run. */
  describeRun(): void
  /** Opens the dialog that exports it. */
  exportRun(): void
  /** Copies the report of that run as Markdown. */
  copyReport(): void
  /** Copies the shown changes as a patch. */
  copyPatch(): void
  /** Why the conversation cannot be resumed, null if it can. */
  readonly resumeUnavailable: string | null
  /** Copies the command that resumes it. */
  copyResume(): void
  /** Opens the dialog that starts a search for the edit that broke a command. */
  findBreak(): void
  check(): void
  showCoverage(): void
  /** To the next or previous finding of the run. */
  stepFinding(delta: 1 | -1): void
  /** Opens the review for the selected session, else for the newest. */
  showReview(): void
  focusPane(pane: Pane): void
  stepPane(by: 1 | -1): void
  toggleTimeline(): void
  /** Switches between one file and all files in one scroll. */
  toggleAllFiles(): void
  filterTimeline(): void
}

export interface CommandState {
  readonly host: 'electron' | 'browser'
  /** Why what is shown cannot be asked for more: no connection to the recorder, or to the host; null if it can. */
  readonly offline: string | null
  /** The same for this computer alone. */
  readonly offlineHere: string | null
  readonly workspace: WorkspaceCommands | null
  /** `text`: initial input. */
  openPalette(text?: string): void
  openFolder(): void
  /** Opens another window with what is shown. */
  openWindow(): void
  /** `place` absent: the last page. */
  openSettings(place?: SettingsPlace): void
  openHelp(): void
  setTheme(theme: Theme): void
  goHome(): void
  /** Shows what happened today in all folders of all hosts. */
  showToday(): void
}
