/** The one window: how it is made, and how it shows a workspace. */
import { BrowserWindow } from 'electron'
import { PROGRAMS } from '../programs.ts'
import { pageUrl } from './pages.ts'
import { background } from './theme.ts'
import { keepWindowState, loadWindowState } from './window-state.ts'

/** Opens the window on the welcome page, or on a workspace. Resolves when the page has loaded. */
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
    // The theme's own colour, so that no white window flashes before the first paint.
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
  keepWindowState(window, dataDir)
  guard(window)
  try {
    await window.loadURL(pageUrl(workspace))
  } catch (error) {
    // Expected: ERR_ABORTED, the person closed it before it had loaded.
    if (!window.isDestroyed() && (error as { code?: unknown }).code !== 'ERR_ABORTED') throw error
  }
}

/** Shows another workspace in the open window. */
export async function showWorkspace(window: BrowserWindow, workspace: string): Promise<void> {
  // Only the fragment changes, which by itself would not load anything.
  await window.loadURL(pageUrl(workspace))
  window.webContents.reload()
}
