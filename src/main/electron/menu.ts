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

/** Cut, copy and paste come from the system; Undo and Redo outside text fields are the page's (restores). */
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
    entries: [
      { label: 'Undo last restore', command: 'undo-restore', keys: 'CmdOrCtrl+Z' },
      { label: 'Redo restore', command: 'redo-restore', keys: 'CmdOrCtrl+Shift+Z' },
      '-',
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' }
    ]
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
      // macOS takes every accelerator before the page sees it; there the page gets the command instead of the keys.
      ...(entry.keys ? { accelerator: entry.keys, registerAccelerator: false } : {}),
      click: () => send(entry.command)
    }
  }
  return rows.map(({ label, entries }) => ({ label, submenu: entries.map(item) }))
}

export function installMenu(send: (command: string) => void): void {
  const template = menuTemplate(MENUS, send)
  Menu.setApplicationMenu(Menu.buildFromTemplate(isMac ? [{ role: 'appMenu' }, ...template] : template))
}
