/** The native menu, from one table. Most keys are the page's own, so that both hosts behave the same. */
import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron'

interface Command {
  readonly label: string
  /** Sent to the page, which knows what it does and whether it can be done now. */
  readonly command: string
  /** Shown beside the label; the page listens for the keys itself. */
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
 * Undo and Redo in text fields are the system's, outside them they take restores back. On macOS a key the page did not
 * use goes to the menu, so there the restores have no key in the menu and the system's Undo and Redo have theirs.
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
      { label: 'Show or hide the timeline', command: 'toggle-timeline', keys: 'CmdOrCtrl+B' },
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
      { label: 'Show the data folder', click: () => shell.showItemInFolder(app.getPath('userData')) }
    ]
  }
]

/** Electron's form of a menu; `send` gets the command of a chosen item. */
export function menuTemplate(rows: readonly MenuRow[], send: (command: string) => void): MenuItemConstructorOptions[] {
  const item = (entry: Entry): MenuItemConstructorOptions => {
    if (entry === '-') return { type: 'separator' }
    if (!('command' in entry)) return entry
    return {
      label: entry.label,
      // Shown only: the page gets every key first. (macOS cannot show without taking what the page leaves.)
      ...(entry.keys ? { accelerator: entry.keys, registerAccelerator: false } : {}),
      click: () => send(entry.command)
    }
  }
  return rows.map(({ label, entries }) => ({ label, submenu: entries.map(item) }))
}

/** Shows the menu; `recent` are the folders of File > Open recent, `install` puts the command on the PATH where no package did. */
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
