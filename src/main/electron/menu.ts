/**
 * The native menu, built from one table, and the recorded folders in it and in the system's lists of recent items. The
 * page handles most keys itself, so that window and browser behave the same.
 */
import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron'
import type { WorkspaceSummary } from '../../contract/workspace.ts'

interface Command {
  readonly label: string
  /** Name of a page command. The page decides whether it is available. */
  readonly command: string
  /** Shown next to the label; the page handles the keys itself. */
  readonly keys?: string
}

type Entry = Command | '-' | MenuItemConstructorOptions

interface MenuRow {
  readonly label: string
  readonly entries: readonly Entry[]
}

const isMac = process.platform === 'darwin'

const undoLabel = 'Undo last restore'
const redoLabel = 'Redo restore'

/**
 * In a text field the keys for Undo and Redo edit text; elsewhere they undo and redo restores. On macOS, keys that the
 * page does not handle reach the menu. So there the roles for text get the keys, and the commands for restores have
 * none.
 */
const UNDO: readonly Entry[] = isMac
  ? [
      { role: 'undo' },
      { role: 'redo' },
      '-',
      { label: undoLabel, command: 'undo-restore' },
      { label: redoLabel, command: 'redo-restore' }
    ]
  : [
      { label: undoLabel, command: 'undo-restore', keys: 'CmdOrCtrl+Z' },
      { label: redoLabel, command: 'redo-restore', keys: 'CmdOrCtrl+Shift+Z' }
    ]

export const MENUS: readonly MenuRow[] = [
  {
    label: 'File',
    entries: [
      { label: 'Open folder…', command: 'open-folder', keys: 'CmdOrCtrl+O' },
      { label: 'New window', command: 'new-window', keys: 'CmdOrCtrl+Shift+N' },
      '-',
      { label: 'Settings…', command: 'settings', keys: 'CmdOrCtrl+,' },
      '-',
      isMac ? { role: 'close' } : { role: 'quit' }
    ]
  },
  {
    label: 'Edit',
    entries: [...UNDO, '-', { role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }]
  },
  {
    label: 'View',
    entries: [
      { label: 'Commands…', command: 'palette', keys: 'CmdOrCtrl+K' },
      '-',
      { label: 'Timeline', command: 'focus-timeline', keys: 'Alt+1' },
      { label: 'Files', command: 'focus-files', keys: 'Alt+2' },
      { label: 'Diff', command: 'focus-diff', keys: 'Alt+3' },
      { label: 'Toggle timeline', command: 'toggle-timeline', keys: 'CmdOrCtrl+B' },
      '-',
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' }
    ]
  },
  {
    label: 'Help',
    entries: [
      { label: 'Keyboard shortcuts', command: 'help' },
      { label: 'Show data folder', click: () => shell.showItemInFolder(app.getPath('userData')) }
    ]
  }
]

/** Builds Electron's menu template; `send` gets the command of a selected item. */
export function menuTemplate(rows: readonly MenuRow[], send: (command: string) => void): MenuItemConstructorOptions[] {
  const item = (entry: Entry): MenuItemConstructorOptions => {
    if (entry === '-') return { type: 'separator' }
    if (!('command' in entry)) return entry
    return {
      label: entry.label,
      // Display only: the page handles the keys. (On macOS an accelerator also handles keys that the page does not.)
      ...(entry.keys ? { accelerator: entry.keys, registerAccelerator: false } : {}),
      click: () => send(entry.command)
    }
  }
  return rows.map(({ label, entries }) => ({ label, submenu: entries.map(item) }))
}

/**
 * Shows the menu. `recent` fills File > Open recent; `install` adds a Help entry that installs the `driftline` command.
 */
export function installMenu(
  send: (command: string) => void,
  recent: MenuItemConstructorOptions[],
  install: (() => void) | null
): void {
  const rows = MENUS.map((row): MenuRow => {
    if (row.label === 'File' && recent.length > 0) {
      const [open = '-', ...rest] = row.entries
      return { ...row, entries: [open, { label: 'Open recent', submenu: recent }, ...rest] }
    }
    if (row.label === 'Help' && install)
      return { ...row, entries: [...row.entries, '-', { label: 'Install the driftline command…', click: install }] }
    return row
  })
  const template = menuTemplate(rows, send)
  Menu.setApplicationMenu(Menu.buildFromTemplate(isMac ? [{ role: 'appMenu' }, ...template] : template))
}

const LISTED = 8

/** Menu items of the most recently changed folders. */
export function recentFolderItems(
  workspaces: readonly WorkspaceSummary[],
  show: (workspace: string) => void
): MenuItemConstructorOptions[] {
  return workspaces
    .filter((summary) => summary.folder === 'present')
    .sort((a, b) => (b.lastAt ?? b.addedAt) - (a.lastAt ?? a.addedAt))
    .slice(0, LISTED)
    .map(({ id, name }) => ({ label: name, click: () => show(id) }))
}

/** Updates the dock menu (macOS) or the jump list (Windows); Linux desktops have neither. */
export function updateRecentLists(workspaces: readonly WorkspaceSummary[], show: (workspace: string) => void): void {
  if (process.platform === 'darwin') app.dock?.setMenu(Menu.buildFromTemplate(recentFolderItems(workspaces, show)))
  if (process.platform !== 'win32') return
  app.setJumpList([
    {
      type: 'custom',
      name: 'Folders',
      items: workspaces.slice(0, LISTED).map(({ name, root }) => ({
        type: 'task',
        title: name,
        description: root,
        program: process.execPath,
        // A Windows path cannot contain a quote.
        args: `--folder "${root}"`
      }))
    }
  ])
}
