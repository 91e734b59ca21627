/**
 * Every command of the product in one table. Key bindings, the palette, the help sheet, menus and tooltips all read it.
 * A command without `run` is kept by the pane it belongs to; the table names its keys for the help sheet.
 */
import type { IconName } from '../ui/icon-sprite.tsx'
import { SETTINGS_PAGES } from './settings-pages.ts'
import type { CommandState, ReviewCommands } from './state.ts'

/** Where keys work. `outside text`: anywhere but in a text field. The rest: while that pane has focus. */
export type Area = 'anywhere' | 'outside text' | 'timeline' | 'files' | 'conversation' | 'diff' | 'dialogs'

export interface Command {
  readonly id: string
  /** What it does, as a verb; a function where the words depend on what is selected. */
  readonly title: string | ((state: CommandState) => string)
  readonly icon: IconName
  /** Alternatives; the first one is shown. */
  readonly keys: readonly string[]
  readonly area: Area
  /** Listed in the palette. */
  readonly palette: boolean
  /** null: can be used now. Else the reason it cannot. */
  readonly unavailable?: (state: CommandState) => string | null
  readonly run?: (state: CommandState) => void
}

const inWorkspace = (state: CommandState) => (state.workspace ? null : 'open a folder first')
const connected = (state: CommandState) => (state.connected ? null : 'not connected at the moment')
const first =
  (...checks: ((state: CommandState) => string | null)[]) =>
  (state: CommandState) => {
    for (const check of checks) {
      const reason = check(state)
      if (reason) return reason
    }
    return null
  }

const compared = (state: CommandState) =>
  state.workspace?.pair ? null : 'compare two entries first: hold Shift and choose the other one'

export const COMMANDS: readonly Command[] = [
  {
    id: 'palette',
    title: 'Search or run a command',
    icon: 'search',
    keys: ['Mod+K'],
    area: 'anywhere',
    palette: false,
    run: (s) => s.openPalette()
  },
  {
    id: 'open-folder',
    title: 'Open a folder…',
    icon: 'folder',
    keys: ['Mod+O'],
    area: 'anywhere',
    palette: true,
    unavailable: connected,
    run: (s) => s.openFolder()
  },
  {
    id: 'settings',
    title: 'Settings',
    icon: 'sliders',
    keys: ['Mod+,'],
    area: 'anywhere',
    palette: true,
    run: (s) => s.openSettings()
  },
  {
    id: 'help',
    title: 'Keyboard shortcuts',
    icon: 'help',
    keys: ['?'],
    area: 'outside text',
    palette: true,
    run: (s) => s.openHelp()
  },
  {
    id: 'restore-here',
    title: (s) => s.workspace?.node?.restoreTitle ?? 'Restore to here…',
    icon: 'restore',
    keys: ['R'],
    area: 'timeline',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) =>
      s.workspace?.node ? s.workspace.node.restoreUnavailable : 'select something in the timeline first'
    ),
    run: (s) => s.workspace?.restoreHere()
  },
  {
    id: 'undo-this',
    title: (s) => s.workspace?.node?.undoTitle ?? 'Undo this run…',
    icon: 'undo',
    keys: ['U'],
    area: 'timeline',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) =>
      s.workspace?.node ? s.workspace.node.undoUnavailable : 'select a run in the timeline first'
    ),
    run: (s) => s.workspace?.undoThis()
  },
  {
    id: 'undo-restore',
    title: 'Undo last restore',
    icon: 'undo',
    keys: ['Mod+Z'],
    area: 'outside text',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) => s.workspace?.undoUnavailable ?? null),
    run: (s) => s.workspace?.undoRestore()
  },
  {
    id: 'redo-restore',
    title: 'Redo restore',
    icon: 'redo',
    keys: ['Mod+Shift+Z', 'Ctrl+Y'],
    area: 'outside text',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) => s.workspace?.redoUnavailable ?? null),
    run: (s) => s.workspace?.redoRestore()
  },
  // The diff takes these keys itself, before the editor does.
  decision('keep-change', 'Keep this change, on to the next', 'check', 'Alt+Y', (review) => review.keepChange()),
  decision('undo-change', 'Undo this change…', 'undo', 'Alt+Z', (review) => review.undoChange()),
  decision('keep-file', 'Keep this file, on to the next', 'check', 'Shift+Alt+Y', (review) => review.keepFile()),
  decision('undo-file', 'Undo this file…', 'undo', 'Shift+Alt+Z', (review) => review.undoFile()),
  decision('versions', 'History of this file', 'history', 'Alt+H', (review) => review.versions()),
  {
    id: 'swap-compared',
    title: 'Swap the two entries that are compared',
    icon: 'swap',
    keys: ['X'],
    area: 'timeline',
    palette: true,
    unavailable: first(inWorkspace, compared),
    run: (s) => s.workspace?.pair?.swap()
  },
  {
    id: 'stop-comparing',
    title: 'Stop comparing two entries',
    icon: 'x',
    keys: [],
    area: 'anywhere',
    palette: true,
    unavailable: first(inWorkspace, compared),
    run: (s) => s.workspace?.pair?.clear()
  },
  {
    id: 'pin',
    title: 'Pin a checkpoint…',
    icon: 'pin',
    keys: ['P'],
    area: 'timeline',
    palette: true,
    unavailable: first(inWorkspace, connected),
    run: (s) => s.workspace?.pin()
  },
  {
    id: 'check',
    title: 'Check for outside changes now',
    icon: 'drift',
    keys: [],
    area: 'anywhere',
    palette: true,
    unavailable: first(inWorkspace, connected),
    run: (s) => s.workspace?.check()
  },
  {
    id: 'coverage',
    title: 'Show what is covered',
    icon: 'shield',
    keys: [],
    area: 'anywhere',
    palette: true,
    unavailable: first(inWorkspace, connected),
    run: (s) => s.workspace?.showCoverage()
  },
  {
    id: 'focus-timeline',
    title: 'Go to the timeline',
    icon: 'history',
    keys: ['Alt+1'],
    area: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.focusPane('timeline')
  },
  {
    id: 'focus-files',
    title: 'Go to the changed files',
    icon: 'list',
    keys: ['Alt+2'],
    area: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.focusPane('files')
  },
  {
    id: 'focus-diff',
    title: 'Go to the diff',
    icon: 'inline',
    keys: ['Alt+3'],
    area: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.focusPane('diff')
  },
  {
    id: 'focus-conversation',
    title: 'Go to the conversation',
    icon: 'chat',
    keys: ['Alt+4'],
    area: 'anywhere',
    palette: true,
    unavailable: first(inWorkspace, (s) => s.workspace?.conversationUnavailable ?? null),
    run: (s) => s.workspace?.focusPane('conversation')
  },
  {
    id: 'next-pane',
    title: 'Next pane',
    icon: 'aright',
    keys: ['F6'],
    area: 'anywhere',
    palette: false,
    unavailable: first(inWorkspace, (s) => (s.host === 'electron' ? null : 'F6 is left to the browser')),
    run: (s) => s.workspace?.stepPane(1)
  },
  {
    id: 'previous-pane',
    title: 'Previous pane',
    icon: 'left',
    keys: ['Shift+F6'],
    area: 'anywhere',
    palette: false,
    unavailable: first(inWorkspace, (s) => (s.host === 'electron' ? null : 'F6 is left to the browser')),
    run: (s) => s.workspace?.stepPane(-1)
  },
  {
    id: 'toggle-timeline',
    title: 'Show or hide the timeline',
    icon: 'sidebar',
    keys: ['Mod+B'],
    area: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.toggleTimeline()
  },
  {
    id: 'filter',
    title: 'Filter the timeline',
    icon: 'filter',
    keys: ['/'],
    area: 'timeline',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.filterTimeline()
  },
  {
    id: 'theme-system',
    title: 'Theme: as the system',
    icon: 'appearance',
    keys: [],
    area: 'anywhere',
    palette: true,
    run: (s) => s.setTheme('system')
  },
  {
    id: 'theme-light',
    title: 'Theme: light',
    icon: 'sun',
    keys: [],
    area: 'anywhere',
    palette: true,
    run: (s) => s.setTheme('light')
  },
  {
    id: 'theme-dark',
    title: 'Theme: dark',
    icon: 'moon',
    keys: [],
    area: 'anywhere',
    palette: true,
    run: (s) => s.setTheme('dark')
  },
  {
    id: 'all-folders',
    title: 'All folders',
    icon: 'folder',
    keys: [],
    area: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.goHome()
  },
  ...SETTINGS_PAGES.map(
    ({ id, title, icon }): Command => ({
      id: `settings-${id}`,
      title: `Settings: ${title}`,
      icon,
      keys: [],
      area: 'anywhere',
      palette: true,
      run: (s) => s.openSettings({ page: id })
    })
  ),

  // Kept by the panes themselves.
  kept('move', 'Move; Shift extends to compare two', 'timeline', ['ArrowUp', 'ArrowDown', 'J', 'K']),
  kept('fold', 'Close or open a run', 'timeline', ['ArrowLeft', 'ArrowRight']),
  kept('ends', 'First or last row; letters jump', 'timeline', ['Home', 'End']),
  kept('enter-files', 'On to the changed files', 'timeline', ['Enter']),
  kept('search-filter', 'Search messages and changes for the filter’s words', 'timeline', ['Mod+Enter']),
  kept('row-actions', 'Actions of a row', 'timeline', ['Shift+F10']),
  kept('viewed', 'Keep: mark viewed and go to the next', 'files', ['Space', 'Shift+Alt+Y']),
  kept('restore-file', 'Restore this file…', 'files', ['R', 'Shift+Alt+Z']),
  kept('open-editor', 'Open in editor', 'files', ['O']),
  kept('reveal', 'Show in folder', 'files', ['Shift+O']),
  kept('file-versions', 'History of this file', 'files', ['H']),
  kept('step-file', 'Previous or next file', 'files', ['[', ']']),
  kept('tree-list', 'Tree or list', 'files', ['T']),
  kept('files-filter', 'Filter the files', 'files', ['/']),
  kept('enter-diff', 'On to the diff', 'files', ['Enter']),
  kept('talk-move', 'Move', 'conversation', ['ArrowUp', 'ArrowDown', 'J', 'K']),
  kept('talk-prompts', 'Previous or next prompt', 'conversation', ['[', ']']),
  kept('talk-details', 'Details of a tool call', 'conversation', ['ArrowRight', 'ArrowLeft']),
  kept('talk-turn', 'On to what the turn changed', 'conversation', ['Enter']),
  kept('talk-restore', 'Restore to here…', 'conversation', ['R']),
  kept('next-change', 'Next change, across files', 'diff', ['Alt+ArrowDown']),
  kept('previous-change', 'Previous change', 'diff', ['Alt+ArrowUp']),
  kept('accessible-next', 'Accessible diff viewer', 'diff', ['F7', 'Shift+F7']),
  kept('split', 'Split or inline', 'diff', ['Alt+S']),
  kept('whitespace', 'Show or hide whitespace changes', 'diff', ['Alt+W']),
  kept('unchanged', 'Show or fold unchanged lines', 'diff', ['Alt+U']),
  kept('step-file-diff', 'Previous or next file', 'diff', ['[', ']']),
  kept('preview-side', 'Look at another side of a file in conflict', 'dialogs', ['V']),
  kept('confirm', 'Confirm; the only key that applies a restore', 'dialogs', ['Mod+Enter']),
  kept('close', 'Close; clear a filter; back one pane', 'dialogs', ['Escape'])
]

/** Something to decide about where the reader of the diff is. */
function decision(
  id: string,
  title: string,
  icon: IconName,
  keys: string,
  run: (review: ReviewCommands) => void
): Command {
  return {
    id,
    title,
    icon,
    keys: [keys],
    area: 'diff',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) => (s.workspace?.review() ? null : 'open a changed file first')),
    run: (s) => {
      const review = s.workspace?.review()
      if (review) run(review)
    }
  }
}

function kept(id: string, title: string, area: Area, keys: readonly string[]): Command {
  return { id, title, icon: 'keyboard', keys, area, palette: false }
}

export function titleOfCommand(command: Command, state: CommandState): string {
  return typeof command.title === 'string' ? command.title : command.title(state)
}
