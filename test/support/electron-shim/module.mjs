// The `electron` module of the main process. Importing a missing name fails.
import { allWindows } from './windows.mjs'

export { app } from './app.mjs'
export { powerMonitor, Tray } from './desktop.mjs'
export { ipcMain } from './ipc.mjs'
export { protocol } from './schemes.mjs'
export { dialog, Menu, Notification, nativeTheme, screen, session, shell } from './system.mjs'
export { BrowserWindow } from './window.mjs'

/** Playwright uses this to find the window of a page. */
export const webContents = {
  getAllWebContents: () => allWindows().map((window) => window.webContents),
  fromId: (id) => allWindows().find((window) => window.webContents.id === id)?.webContents,
  fromDevToolsTargetId: () => undefined
}
