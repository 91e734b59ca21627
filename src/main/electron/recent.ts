/** Recorded folders where each system lists recent places: the dock's menu, the jump list, File > Open recent. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { WorkspaceSummary } from '../../contract/workspace.ts'

const LISTED = 8

/** Menu items of the newest folders. */
export function recentItems(
  workspaces: readonly WorkspaceSummary[],
  show: (workspace: string) => void
): MenuItemConstructorOptions[] {
  return workspaces
    .filter((summary) => summary.folder === 'present')
    .sort((a, b) => (b.lastAt ?? b.addedAt) - (a.lastAt ?? a.addedAt))
    .slice(0, LISTED)
    .map(({ id, name }) => ({ label: name, click: () => show(id) }))
}

/** The system's own lists; Linux desktops have none. */
export function listRecent(workspaces: readonly WorkspaceSummary[], show: (workspace: string) => void): void {
  if (process.platform === 'darwin') app.dock?.setMenu(Menu.buildFromTemplate(recentItems(workspaces, show)))
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
        // A quote cannot be part of a Windows path.
        args: `--folder "${root}"`
      }))
    }
  ])
}
