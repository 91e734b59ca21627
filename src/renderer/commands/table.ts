/**
 * All commands. Key bindings, the palette, the help sheet, menus and tooltips read this table.
 * Commands of panes (pane-keys.ts) have no `run`, but those that the palette offers: the pane looks its keys up there.
 */

import { openApartLabel } from '../client/platform.ts'
import type { IconName } from '../ui/icon.tsx'
import {
  type Check,
  type Command,
  type CommandRow,
  canRestore,
  command,
  connected,
  connectedHere,
  inWorkspace,
  openReview,
  type When
} from './command.ts'
import { type DiffView, type KeyedPane, PANE_COMMANDS, type PaneCommand } from './pane-keys.ts'
import { reviewRows } from './review-rows.ts'
import { DESCRIBE_RUN } from './run-items.ts'
import { SETTINGS_PAGES } from './settings-pages.ts'
import type { CommandState, Pane } from './state.ts'

const inElectron: Check = (s) => (s.host === 'electron' ? null : 'the browser uses F6')
const pair: Check = (s) => (s.workspace?.pair ? null : 'compare two entries first: Shift-click a second entry')

const ROWS: readonly CommandRow[] = [
  {
    id: 'palette',
    title: 'Search or run a command',
    icon: 'search',
    keys: 'Mod+K',
    palette: false,
    run: (s) => s.openPalette()
  },
  {
    id: 'open-folder',
    title: 'Open a folder…',
    icon: 'folder',
    keys: 'Mod+O',
    needs: [connectedHere],
    run: (s) => s.openFolder()
  },
  {
    id: 'new-window',
    title: 'New window',
    icon: 'external',
    keys: 'Mod+Shift+N',
    onlyIn: 'electron',
    needs: [(s) => (s.host === 'electron' ? null : 'the browser opens tabs and windows')],
    run: (s) => s.openWindow()
  },
  {
    id: 'new-tab',
    title: openApartLabel({ kind: 'browser' }),
    icon: 'external',
    onlyIn: 'browser',
    run: (s) => s.openWindow()
  },
  { id: 'settings', title: 'Settings', icon: 'sliders', keys: 'Mod+,', run: (s) => s.openSettings() },
  { id: 'help', title: 'Keyboard shortcuts', icon: 'help', keys: '?', when: 'outside text', run: (s) => s.openHelp() },
  {
    id: 'restore-here',
    title: (s) => s.workspace?.node?.restore.label ?? 'Restore to here…',
    icon: 'restore',
    keys: 'R',
    when: 'timeline',
    needs: [
      inWorkspace,
      connected,
      canRestore,
      (s) => (s.workspace?.node ? s.workspace.node.restore.disabledReason : 'select a timeline entry first')
    ],
    run: (s) => s.workspace?.restoreHere()
  },
  {
    id: 'undo-this',
    title: (s) => s.workspace?.node?.undo.label ?? 'Undo this run…',
    icon: 'undo',
    keys: 'U',
    when: 'timeline',
    needs: [
      inWorkspace,
      connected,
      canRestore,
      (s) => (s.workspace?.node ? s.workspace.node.undo.disabledReason : 'select a run in the timeline first')
    ],
    run: (s) => s.workspace?.undoThis()
  },
  {
    id: 'undo-restore',
    title: 'Undo last restore',
    icon: 'undo',
    keys: 'Mod+Z',
    when: 'outside text',
    needs: [inWorkspace, connected, (s) => s.workspace?.undoUnavailable ?? null],
    run: (s) => s.workspace?.undoRestore()
  },
  {
    id: 'redo-restore',
    title: 'Redo restore',
    icon: 'redo',
    keys: ['Mod+Shift+Z', 'Ctrl+Y'],
    when: 'outside text',
    needs: [inWorkspace, connected, (s) => s.workspace?.redoUnavailable ?? null],
    run: (s) => s.workspace?.redoRestore()
  },
  {
    id: 'restore-green',
    title: 'Restore to the last passed tests…',
    icon: 'okc',
    keys: 'G',
    when: 'outside text',
    needs: [inWorkspace, connected, canRestore, (s) => s.workspace?.greenUnavailable ?? null],
    run: (s) => s.workspace?.restoreGreen()
  },
  {
    id: 'replay',
    title: 'Replay the edits',
    icon: 'play',
    keys: 'Alt+R',
    needs: [inWorkspace, connected, (s) => s.workspace?.replayUnavailable ?? null],
    run: (s) => s.workspace?.openReplay()
  },
  ...reviewRows(),
  {
    id: 'swap-compared',
    title: 'Swap sides of the comparison',
    icon: 'swap',
    keys: 'X',
    when: 'timeline',
    needs: [inWorkspace, pair],
    run: (s) => s.workspace?.pair?.swap()
  },
  {
    id: 'stop-comparing',
    title: 'Stop comparing',
    icon: 'x',
    needs: [inWorkspace, pair],
    run: (s) => s.workspace?.pair?.clear()
  },
  {
    id: 'pin',
    title: 'Pin a checkpoint…',
    icon: 'pin',
    keys: 'P',
    when: 'timeline',
    needs: [inWorkspace, connected],
    run: (s) => s.workspace?.pin()
  },
  {
    id: 'describe-run',
    title: DESCRIBE_RUN.label,
    icon: DESCRIBE_RUN.icon,
    keys: DESCRIBE_RUN.keys,
    when: 'timeline',
    needs: [inWorkspace, connected, (s) => s.workspace?.runUnavailable ?? null],
    run: (s) => s.workspace?.describeRun()
  },
  {
    id: 'export-run',
    title: 'Export this run…',
    icon: 'download',
    needs: [inWorkspace, connected, (s) => s.workspace?.runUnavailable ?? s.workspace?.exportUnavailable ?? null],
    run: (s) => s.workspace?.exportRun()
  },
  {
    id: 'copy-report',
    title: 'Copy as Markdown',
    icon: 'copy',
    needs: [inWorkspace, connected, (s) => s.workspace?.runUnavailable ?? null],
    run: (s) => s.workspace?.copyReport()
  },
  {
    id: 'copy-patch',
    title: 'Copy as patch',
    icon: 'copy',
    needs: [inWorkspace, connected, (s) => (s.workspace?.files.length ? null : 'no changes are shown')],
    run: (s) => s.workspace?.copyPatch()
  },
  {
    id: 'copy-resume',
    title: 'Copy resume command',
    icon: 'terminal',
    needs: [inWorkspace, connected, (s) => s.workspace?.resumeUnavailable ?? null],
    run: (s) => s.workspace?.copyResume()
  },
  {
    id: 'bisect',
    title: 'Find the edit that broke it…',
    icon: 'search',
    keys: 'B',
    when: 'timeline',
    needs: [inWorkspace, connected],
    run: (s) => s.workspace?.findBreak()
  },
  {
    id: 'check',
    title: 'Check for outside changes now',
    icon: 'drift',
    needs: [inWorkspace, connected],
    run: (s) => s.workspace?.check()
  },
  {
    id: 'coverage',
    title: 'Show coverage',
    icon: 'shield',
    needs: [inWorkspace, connected],
    run: (s) => s.workspace?.showCoverage()
  },
  {
    id: 'review',
    title: 'Review: comments and decisions',
    icon: 'chat',
    keys: 'Shift+C',
    when: 'outside text',
    needs: [inWorkspace, connected],
    run: (s) => s.workspace?.showReview()
  },
  findingRow('next-finding', 'Next finding', 'adown', 'N', 1),
  findingRow('previous-finding', 'Previous finding', 'aup', 'Shift+N', -1),
  paneRow('timeline', 'Go to timeline', 'history', 'Alt+1'),
  paneRow('files', 'Go to changed files', 'list', 'Alt+2'),
  paneRow('diff', 'Go to diff', 'inline', 'Alt+3'),
  {
    ...paneRow('conversation', 'Go to conversation', 'chat', 'Alt+4'),
    needs: [inWorkspace, (s) => s.workspace?.conversationUnavailable ?? null]
  },
  {
    id: 'next-pane',
    title: 'Next pane',
    icon: 'aright',
    keys: 'F6',
    palette: false,
    onlyIn: 'electron',
    needs: [inWorkspace, inElectron],
    run: (s) => s.workspace?.stepPane(1)
  },
  {
    id: 'previous-pane',
    title: 'Previous pane',
    icon: 'left',
    keys: 'Shift+F6',
    palette: false,
    onlyIn: 'electron',
    needs: [inWorkspace, inElectron],
    run: (s) => s.workspace?.stepPane(-1)
  },
  {
    id: 'toggle-timeline',
    title: 'Show or hide the timeline',
    icon: 'sidebar',
    keys: 'Mod+B',
    needs: [inWorkspace],
    run: (s) => s.workspace?.toggleTimeline()
  },
  {
    id: 'all-files',
    title: 'Show all files in one scroll, or one file',
    icon: 'list',
    keys: 'Alt+A',
    needs: [inWorkspace],
    run: (s) => s.workspace?.toggleAllFiles()
  },
  {
    id: 'filter',
    title: 'Filter the timeline',
    icon: 'filter',
    keys: '/',
    when: 'timeline',
    needs: [inWorkspace],
    run: (s) => s.workspace?.filterTimeline()
  },
  { id: 'theme-system', title: 'Theme: System', icon: 'appearance', run: (s) => s.setTheme('system') },
  { id: 'theme-light', title: 'Theme: Light', icon: 'sun', run: (s) => s.setTheme('light') },
  { id: 'theme-dark', title: 'Theme: Dark', icon: 'moon', run: (s) => s.setTheme('dark') },
  { id: 'today', title: 'All hosts, today', icon: 'clock', needs: [connectedHere], run: (s) => s.showToday() },
  { id: 'all-folders', title: 'All folders', icon: 'folder', needs: [inWorkspace], run: (s) => s.goHome() },
  ...SETTINGS_PAGES.map(
    ({ id, title, icon }): CommandRow => ({
      id: `settings-${id}`,
      title: `Settings: ${title}`,
      icon,
      run: (s) => s.openSettings({ page: id })
    })
  )
]

function findingRow(id: string, title: string, icon: IconName, keys: string, delta: 1 | -1): CommandRow {
  return {
    id,
    title,
    icon,
    keys,
    when: 'outside text',
    needs: [inWorkspace, (s) => s.workspace?.findingsUnavailable ?? null],
    run: (s) => s.workspace?.stepFinding(delta)
  }
}

function paneRow(pane: Pane, title: string, icon: IconName, keys: string): CommandRow {
  return { id: `focus-${pane}`, title, icon, keys, needs: [inWorkspace], run: (s) => s.workspace?.focusPane(pane) }
}

export const COMMANDS: readonly Command[] = [...ROWS.map(command), ...paneCommands()]

/** What the panes do themselves, for the help sheet. */
function paneCommands(): Command[] {
  return Object.entries(PANE_COMMANDS).flatMap(([pane, commands]) =>
    commands.flatMap(({ id, title, keys, isView, ...more }: PaneCommand): Command[] => {
      if (title === null) return []
      const listed = { id, title, keys: Object.keys(keys), when: pane as KeyedPane, ...more }
      return [isView ? viewCommand(listed) : { ...listed, icon: 'keyboard', palette: false }]
    })
  )
}

/** How the diff is shown, and which of its changes, is chosen from any pane. */
function viewCommand(listed: Pick<Command, 'id' | 'title' | 'keys'>): Command {
  return command({
    ...listed,
    when: 'outside text',
    icon: 'eye',
    needs: [inWorkspace, openReview],
    run: (s) => s.workspace?.review()?.view(listed.id as DiffView)
  })
}

const isOfHost = ({ onlyIn }: Command, { host }: CommandState): boolean => onlyIn === undefined || onlyIn === host

/** What the help sheet and the settings list: commands with keys that work in this window. */
export function keyedCommands(when: When, state: CommandState): Command[] {
  return COMMANDS.filter((command) => command.when === when && command.keys.length > 0 && isOfHost(command, state))
}

export function paletteCommands(state: CommandState): Command[] {
  return COMMANDS.filter((command) => command.palette && isOfHost(command, state))
}

export function titleOfCommand(command: Command, state: CommandState): string {
  return typeof command.title === 'string' ? command.title : command.title(state)
}

/** Titles of where keys work, in display order. */
export const AREAS: readonly { readonly when: When; readonly title: string }[] = [
  { when: 'anywhere', title: 'Anywhere' },
  { when: 'outside text', title: 'Outside text fields' },
  { when: 'timeline', title: 'Timeline' },
  { when: 'files', title: 'Changed files' },
  { when: 'conversation', title: 'Conversation' },
  { when: 'diff', title: 'Diff' },
  { when: 'replay', title: 'Replay' },
  { when: 'dialogs', title: 'Dialogs' }
]
