/**
 * All commands. Key bindings, the palette, the help sheet, menus and tooltips read this table.
 * Commands of panes (pane-keys.ts) have no `run`: the pane looks its keys up there.
 */
import type { IconName } from '../ui/icon.tsx'
import { type KeyedPane, PANE_COMMANDS } from './pane-keys.ts'
import { SETTINGS_PAGES } from './settings-pages.ts'
import type { CommandState, ReviewCommands } from './state.ts'

/** When keys work. `outside text`: anywhere except in text fields. The others: while that pane has the focus. */
export type When = 'anywhere' | 'outside text' | KeyedPane

export interface Command {
  readonly id: string
  /** A verb phrase; a function if it depends on the selection. */
  readonly title: string | ((state: CommandState) => string)
  readonly icon: IconName
  /** Alternatives; the first one is shown. */
  readonly keys: readonly string[]
  readonly when: When
  /** Whether the palette lists it. */
  readonly palette: boolean
  /** Why the command is unavailable, null if it is available. */
  readonly unavailable?: (state: CommandState) => string | null
  readonly run?: (state: CommandState) => void
}

const inWorkspace = (state: CommandState) => (state.workspace ? null : 'open a folder first')
const connected = (state: CommandState) => (state.connected ? null : 'not connected')
const first =
  (...checks: ((state: CommandState) => string | null)[]) =>
  (state: CommandState) => {
    for (const check of checks) {
      const reason = check(state)
      if (reason) return reason
    }
    return null
  }

const needsPair = (state: CommandState) =>
  state.workspace?.pair ? null : 'compare two entries first: Shift-click a second entry'

export const COMMANDS: readonly Command[] = [
  {
    id: 'palette',
    title: 'Search or run a command',
    icon: 'search',
    keys: ['Mod+K'],
    when: 'anywhere',
    palette: false,
    run: (s) => s.openPalette()
  },
  {
    id: 'open-folder',
    title: 'Open a folder…',
    icon: 'folder',
    keys: ['Mod+O'],
    when: 'anywhere',
    palette: true,
    unavailable: connected,
    run: (s) => s.openFolder()
  },
  {
    id: 'settings',
    title: 'Settings',
    icon: 'sliders',
    keys: ['Mod+,'],
    when: 'anywhere',
    palette: true,
    run: (s) => s.openSettings()
  },
  {
    id: 'help',
    title: 'Keyboard shortcuts',
    icon: 'help',
    keys: ['?'],
    when: 'outside text',
    palette: true,
    run: (s) => s.openHelp()
  },
  {
    id: 'restore-here',
    title: (s) => s.workspace?.node?.restoreTitle ?? 'Restore to here…',
    icon: 'restore',
    keys: ['R'],
    when: 'timeline',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) =>
      s.workspace?.node ? s.workspace.node.restoreUnavailable : 'select a timeline entry first'
    ),
    run: (s) => s.workspace?.restoreHere()
  },
  {
    id: 'undo-this',
    title: (s) => s.workspace?.node?.undoTitle ?? 'Undo this run…',
    icon: 'undo',
    keys: ['U'],
    when: 'timeline',
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
    when: 'outside text',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) => s.workspace?.undoUnavailable ?? null),
    run: (s) => s.workspace?.undoRestore()
  },
  {
    id: 'redo-restore',
    title: 'Redo restore',
    icon: 'redo',
    keys: ['Mod+Shift+Z', 'Ctrl+Y'],
    when: 'outside text',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) => s.workspace?.redoUnavailable ?? null),
    run: (s) => s.workspace?.redoRestore()
  },
  // The diff handles these keys itself, before its editor does.
  reviewCommand('keep-change', 'Keep change and go to next', 'check', 'Alt+Y', (review) => review.keepChange()),
  reviewCommand('undo-change', 'Undo this change…', 'undo', 'Alt+Z', (review) => review.undoChange()),
  reviewCommand('keep-file', 'Keep file and go to next', 'check', 'Shift+Alt+Y', (review) => review.keepFile()),
  reviewCommand('undo-file', 'Undo this file…', 'undo', 'Shift+Alt+Z', (review) => review.undoFile()),
  reviewCommand('versions', 'History of this file', 'history', 'Alt+H', (review) => review.versions()),
  {
    id: 'swap-compared',
    title: 'Swap sides of the comparison',
    icon: 'swap',
    keys: ['X'],
    when: 'timeline',
    palette: true,
    unavailable: first(inWorkspace, needsPair),
    run: (s) => s.workspace?.pair?.swap()
  },
  {
    id: 'stop-comparing',
    title: 'Stop comparing',
    icon: 'x',
    keys: [],
    when: 'anywhere',
    palette: true,
    unavailable: first(inWorkspace, needsPair),
    run: (s) => s.workspace?.pair?.clear()
  },
  {
    id: 'pin',
    title: 'Pin a checkpoint…',
    icon: 'pin',
    keys: ['P'],
    when: 'timeline',
    palette: true,
    unavailable: first(inWorkspace, connected),
    run: (s) => s.workspace?.pin()
  },
  {
    id: 'check',
    title: 'Check for outside changes now',
    icon: 'drift',
    keys: [],
    when: 'anywhere',
    palette: true,
    unavailable: first(inWorkspace, connected),
    run: (s) => s.workspace?.check()
  },
  {
    id: 'coverage',
    title: 'Show coverage',
    icon: 'shield',
    keys: [],
    when: 'anywhere',
    palette: true,
    unavailable: first(inWorkspace, connected),
    run: (s) => s.workspace?.showCoverage()
  },
  {
    id: 'focus-timeline',
    title: 'Go to timeline',
    icon: 'history',
    keys: ['Alt+1'],
    when: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.focusPane('timeline')
  },
  {
    id: 'focus-files',
    title: 'Go to changed files',
    icon: 'list',
    keys: ['Alt+2'],
    when: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.focusPane('files')
  },
  {
    id: 'focus-diff',
    title: 'Go to diff',
    icon: 'inline',
    keys: ['Alt+3'],
    when: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.focusPane('diff')
  },
  {
    id: 'focus-conversation',
    title: 'Go to conversation',
    icon: 'chat',
    keys: ['Alt+4'],
    when: 'anywhere',
    palette: true,
    unavailable: first(inWorkspace, (s) => s.workspace?.conversationUnavailable ?? null),
    run: (s) => s.workspace?.focusPane('conversation')
  },
  {
    id: 'next-pane',
    title: 'Next pane',
    icon: 'aright',
    keys: ['F6'],
    when: 'anywhere',
    palette: false,
    unavailable: first(inWorkspace, (s) => (s.host === 'electron' ? null : 'the browser uses F6')),
    run: (s) => s.workspace?.stepPane(1)
  },
  {
    id: 'previous-pane',
    title: 'Previous pane',
    icon: 'left',
    keys: ['Shift+F6'],
    when: 'anywhere',
    palette: false,
    unavailable: first(inWorkspace, (s) => (s.host === 'electron' ? null : 'the browser uses F6')),
    run: (s) => s.workspace?.stepPane(-1)
  },
  {
    id: 'toggle-timeline',
    title: 'Show or hide the timeline',
    icon: 'sidebar',
    keys: ['Mod+B'],
    when: 'anywhere',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.toggleTimeline()
  },
  {
    id: 'filter',
    title: 'Filter the timeline',
    icon: 'filter',
    keys: ['/'],
    when: 'timeline',
    palette: true,
    unavailable: inWorkspace,
    run: (s) => s.workspace?.filterTimeline()
  },
  {
    id: 'theme-system',
    title: 'Theme: System',
    icon: 'appearance',
    keys: [],
    when: 'anywhere',
    palette: true,
    run: (s) => s.setTheme('system')
  },
  {
    id: 'theme-light',
    title: 'Theme: Light',
    icon: 'sun',
    keys: [],
    when: 'anywhere',
    palette: true,
    run: (s) => s.setTheme('light')
  },
  {
    id: 'theme-dark',
    title: 'Theme: Dark',
    icon: 'moon',
    keys: [],
    when: 'anywhere',
    palette: true,
    run: (s) => s.setTheme('dark')
  },
  {
    id: 'all-folders',
    title: 'All folders',
    icon: 'folder',
    keys: [],
    when: 'anywhere',
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
      when: 'anywhere',
      palette: true,
      run: (s) => s.openSettings({ page: id })
    })
  ),

  ...paneCommands()
]

/** A command for the current change or file of the diff. */
function reviewCommand(
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
    when: 'diff',
    palette: true,
    unavailable: first(inWorkspace, connected, (s) => (s.workspace?.review() ? null : 'open a changed file first')),
    run: (s) => {
      const review = s.workspace?.review()
      if (review) run(review)
    }
  }
}

/** What the panes do themselves, for the help sheet. */
function paneCommands(): Command[] {
  return Object.entries(PANE_COMMANDS).flatMap(([pane, commands]) =>
    commands.flatMap(({ id, title, keys }): Command[] =>
      title === null
        ? []
        : [{ id, title, icon: 'keyboard', keys: Object.keys(keys), when: pane as KeyedPane, palette: false }]
    )
  )
}

export function titleOfCommand(command: Command, state: CommandState): string {
  return typeof command.title === 'string' ? command.title : command.title(state)
}
