/**
 * The state of one open workspace: what the person chose, and what the engine answered for it. Panes read it by
 * selectors; the actions write the choices, `workspace-data.tsx` the answers.
 * Invariants: what follows from other fields is computed (`derived.ts`) and not stored; an answer that did not change
 * is the same object, so that a selector of it renders nothing.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BisectSearch } from '../../contract/bisect.ts'
import type { DiffResult, FileChange } from '../../contract/diff.ts'
import type { ErrorShape } from '../../contract/errors.ts'
import type { Finding } from '../../contract/findings.ts'
import type { RestoreRequest } from '../../contract/restore.ts'
import type { WorkspaceStatus } from '../../contract/status.ts'
import type { EntryDetail } from '../../contract/timeline.ts'
import type { Pane } from '../commands/state.ts'
import type { Comparison, ComparisonId } from '../model/comparisons.ts'
import type { Selection } from '../model/diff-selection.ts'
import { type EntryFilter, NO_FILTER } from '../model/entry-filter.ts'
import type { OpenFile } from '../model/open-file.ts'
import type { RailSegment } from '../model/rail.ts'
import type { OpenReplay } from '../model/replay.ts'
import type { DiffQuery } from '../model/row-targets.ts'
import type { OpenRun, Row, SelectableRow } from '../model/timeline-rows.ts'
import { type Layout, layoutNow, loadSizes, type Sizes } from './layout.ts'
import { loadReviews, type StoredReviews } from './reviews.ts'
import type { Selected, SelectionMemory } from './selection.ts'
import type { Timeline } from './use-timeline.ts'

/** The dialog that is open over the workspace, besides the restore preview. */
export type WorkspaceDialog =
  | 'bisect'
  | 'coverage'
  | 'describe'
  | 'export'
  | 'pin'
  | 'restore-wait'
  | 'locate'
  | 'remove'

/** A file chosen in one comparison; every other comparison starts at its own first file. */
export interface PickedFile {
  /** The comparison's key. */
  readonly scope: string
  readonly path: string
}

/** A row to select, which may not be loaded yet. */
interface RevealTarget {
  readonly entry: string
  /** One turn of the run. */
  readonly turn?: string
  /** Called with the row once it is selected. */
  readonly onSelected?: (row: SelectableRow) => void
}

/** Lines of a file in one comparison, from 1, both included. */
export interface PointedPlace extends PickedFile {
  readonly lines: { readonly side: 'before' | 'after'; readonly from: number; readonly to: number }
}

/** [RV-6] What to look at first in a run; `more`: how many are not listed. */
export interface RunFindings {
  readonly findings: readonly Finding[]
  readonly more: number
}

/** A message of a conversation to scroll to, and to focus unless `focus` is false. */
export interface MessageTarget {
  readonly session: string
  readonly message: number
  /** A tool call after that message to go to instead. */
  readonly call?: string
  readonly focus?: false
}

interface Choices {
  readonly filter: EntryFilter
  /** null: the newest entry is selected. */
  readonly memory: SelectionMemory | null
  readonly reveal: RevealTarget | null
  /** The run whose rows are shown below it. */
  readonly open: { readonly run: string; readonly folded: boolean } | null
  /** [UI-9] Runs that were open before, as they were; their rows go once the pointer leaves the timeline. */
  readonly lingering: readonly OpenRun[]
  /** Keys of its expanded child rows. */
  readonly expanded: ReadonlySet<string>
  /** Keys of conversations whose runs are hidden. */
  readonly collapsed: ReadonlySet<string>
  /** The comparison chosen for one row; the next row starts with its own changes. */
  readonly comparison: { readonly key: string; readonly id: ComparisonId } | null
  readonly picked: PickedFile | null
  /** The lines to show once their file is in the diff. */
  readonly pointed: PointedPlace | null
  /** The finding that was gone to last. */
  readonly finding: Finding | null
  readonly reviews: StoredReviews
  /** Key of the row whose live run is followed. */
  readonly followed: string | null
  readonly layout: Layout
  readonly sizes: Sizes
  /** The run that the banner in front is about; null if it is about none. */
  readonly noticedRun: string | null
  /** Width of the list of entries without its scrollbar, px; 0 before it is drawn. */
  readonly timelineWidth: number
  /** The visible pane in the layout with tabs. */
  readonly tab: Pane
  /** Whether the timeline drawer is open. */
  readonly drawer: boolean
  /** The open history of a file. */
  readonly history: OpenFile | null
  /** The open replay. */
  readonly replay: OpenReplay | null
  /** Message to scroll to once its conversation is loaded. */
  readonly message: MessageTarget | null
  readonly dialog: WorkspaceDialog | null
  /** The session whose review is open, "newest" for that one. */
  readonly review: string | null
  /** The request whose preview is open. */
  readonly preview: RestoreRequest | null
  /** Restores that the status does not contain yet. */
  readonly pendingRestores: number
}

interface Answers {
  /** Why nothing can be written now: no connection, or a review that can only be read; null if it can. */
  readonly offline: string | null
  readonly status: WorkspaceStatus | null
  readonly timeline: Timeline | null
  readonly rows: readonly Row[]
  /** Rail segments, one per row. */
  readonly rails: readonly RailSegment[]
  readonly selected: Selected | null
  /** What the panes show: the selection before, for a moment, until the files of the selected entry are known. */
  readonly shown: Selected | null
  /** Two compared rows: left side, right side. */
  readonly pair: readonly [SelectableRow, SelectableRow] | null
  /** Details of the open run. */
  readonly detail: EntryDetail | null
  /** The same beside `shown`. */
  readonly shownDetail: EntryDetail | null
  /** Available and chosen comparisons of the shown row. */
  readonly comparisons: readonly Comparison[]
  readonly compared: Comparison | null
  /** The query of the diff; null while the details of the row are loading. */
  readonly query: DiffQuery | null
  readonly selection: Selection | null
  readonly diff: DiffResult | null
  readonly diffLoading: boolean
  readonly diffError: ErrorShape | null
  /** Whether the shown run is live. */
  readonly live: boolean
  /** The file in the diff. */
  readonly file: FileChange | null
  /** Paths that tools are writing now. */
  readonly writing: ReadonlySet<string>
  /** Threads of comments on the compared run that are not resolved, by file. */
  readonly commentCounts: ReadonlyMap<string, number>
  /** The search for the edit that broke a command, while it runs and until its answer is dismissed. */
  readonly search: BisectSearch | null
  /** Those of the compared run, as far as it is written. */
  readonly findings: RunFindings | null
  /** The shown run, if it is known to have changed something of git. */
  readonly gitChangedBy: string | null
}

export interface WorkspaceState extends Choices, Answers {}
export type WorkspaceStore = StoreApi<WorkspaceState>

export const NO_PATHS: ReadonlySet<string> = new Set()
export const NO_COUNTS: ReadonlyMap<string, number> = new Map()
export const NO_FILES: readonly FileChange[] = []

export function createWorkspaceStore(workspace: string): WorkspaceStore {
  return createStore<WorkspaceState>(() => ({
    filter: NO_FILTER,
    memory: null,
    reveal: null,
    open: null,
    lingering: [],
    expanded: NO_PATHS,
    collapsed: NO_PATHS,
    comparison: null,
    picked: null,
    pointed: null,
    finding: null,
    reviews: loadReviews(),
    followed: null,
    layout: layoutNow(),
    sizes: loadSizes(workspace),
    noticedRun: null,
    timelineWidth: 0,
    tab: 'timeline',
    drawer: false,
    history: null,
    replay: null,
    message: null,
    dialog: null,
    review: null,
    preview: null,
    pendingRestores: 0,
    offline: null,
    status: null,
    timeline: null,
    rows: [],
    rails: [],
    selected: null,
    shown: null,
    shownDetail: null,
    pair: null,
    detail: null,
    comparisons: [],
    compared: null,
    query: null,
    selection: null,
    diff: null,
    diffLoading: false,
    diffError: null,
    live: false,
    file: null,
    writing: NO_PATHS,
    commentCounts: NO_COUNTS,
    search: null,
    findings: null,
    gitChangedBy: null
  }))
}
