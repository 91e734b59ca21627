/** Recorded folders in the system's lists of recent items: the dock menu, the jump list, File > Open recent. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { WorkspaceSummary } from '../../contract/workspace.ts'

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
