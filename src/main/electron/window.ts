/** The app's window: opening it and showing a workspace in it. */
import { BrowserWindow } from 'electron'
import { PROGRAMS } from '../programs.ts'
import { pageUrl } from './pages.ts'
import { background } from './theme.ts'
import { loadWindowState, saveWindowStateOnClose } from './window-state.ts'

/** Opens the window on the welcome page ("") or on a workspace. Resolves when the page has loaded. */
export async function openWindow(
  dataDir: string,
  workspace: string,
  guard: (window: BrowserWindow) => void
): Promise<void> {
  const state = loadWindowState(dataDir)
  const window = new BrowserWindow({
    ...state.bounds,
    minWidth: 960,
    minHeight: 660,
    title: 'Driftline',
    show: false,
    // The theme's background colour prevents a white flash before the first paint.
    backgroundColor: background(),
    webPreferences: {
      preload: PROGRAMS.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false
    }
  })
  window.once('ready-to-show', () => {
    if (state.maximized) window.maximize()
    window.show()
  })
  saveWindowStateOnClose(window, dataDir)
  guard(window)
  try {
    await window.loadURL(pageUrl(workspace))
  } catch (error) {
    // Expected: ERR_ABORTED, when the window is closed before the page has loaded.
    if (!window.isDestroyed() && (error as { code?: unknown }).code !== 'ERR_ABORTED') throw error
  }
}

/** Shows another workspace in the open window. */
export async function showWorkspace(window: BrowserWindow, workspace: string): Promise<void> {
  // Only the fragment changes, which alone does not load the page again.
  await window.loadURL(pageUrl(workspace))
  window.webContents.reload()
}
