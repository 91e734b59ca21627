/**
 * The app's windows: opening one where it was or beside the others, and showing a workspace in one. The size and position
 * of the one that was closed last are in the data folder.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrowserWindow, type Rectangle, screen } from 'electron'
import { log } from '../engine/ports/log.ts'
import { PROGRAMS } from '../programs.ts'
import { pageUrl } from './pages.ts'
import { background } from './theme.ts'

/** Opens a window at the address of a page, beside the others. Resolves when the page has loaded. */
export async function openWindow(dataDir: string, url: string, guard: (window: BrowserWindow) => void): Promise<void> {
  const state = besideOthers(loadWindowState(dataDir))
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
    await window.loadURL(url)
  } catch (error) {
    // Expected: ERR_ABORTED, when the window is closed before the page has loaded.
    if (!window.isDestroyed() && (error as { code?: unknown }).code !== 'ERR_ABORTED') throw error
  }
}

/** Brings the window to the front, or opens it if it was closed; `workspace` is shown, unless "". */
export async function showWindow(
  dataDir: string,
  workspace: string,
  guard: (window: BrowserWindow) => void
): Promise<void> {
  const window = windowFor(workspace)
  if (!window) return openWindow(dataDir, pageUrl(workspace), guard)
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  if (!workspace) return
  // Only the fragment changes, which alone does not load the page again.
  await window.loadURL(pageUrl(workspace))
  window.webContents.reload()
}

/** The window that shows a workspace, else the one that was used last; undefined without any. */
function windowFor(workspace: string): BrowserWindow | undefined {
  const windows = BrowserWindow.getAllWindows()
  const shows = (window: BrowserWindow): boolean =>
    workspace !== '' && window.webContents.getURL().includes(`open=${encodeURIComponent(workspace)}`)
  return windows.find(shows) ?? BrowserWindow.getFocusedWindow() ?? windows[0]
}

/** Not exactly over another window, and not maximized over it. */
function besideOthers({ bounds, maximized }: WindowState): WindowState {
  const top = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
  if (!top) return { bounds, maximized }
  const { x, y, width, height } = top.getNormalBounds()
  return { bounds: { x: x + CASCADE, y: y + CASCADE, width, height }, maximized: false }
}

const CASCADE = 28

interface WindowState {
  readonly bounds: Partial<Rectangle> & { readonly width: number; readonly height: number }
  readonly maximized: boolean
}

const DEFAULT: WindowState = { bounds: { width: 1280, height: 800 }, maximized: false }

const fileIn = (dataDir: string): string => join(dataDir, 'window.json')

/** The stored state. Without its position if that is no longer on a display; the default without a stored state. */
function loadWindowState(dataDir: string): WindowState {
  let text: string
  try {
    text = readFileSync(fileIn(dataDir), 'utf8')
  } catch {
    // Expected: ENOENT at the first start.
    return DEFAULT
  }
  const state = parseWindowState(text)
  if (!state) return DEFAULT
  const visible = screen.getAllDisplays().some(({ workArea }) => overlaps(state.bounds, workArea))
  return visible ? state : { ...state, bounds: { width: state.bounds.width, height: state.bounds.height } }
}

/** Parses the file; null when it is invalid. */
export function parseWindowState(text: string): WindowState | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Expected: SyntaxError, when a write was cut short.
    return null
  }
  const { bounds, maximized } = (value ?? {}) as { bounds?: Partial<Rectangle>; maximized?: unknown }
  const { x, y, width, height } = bounds ?? {}
  if (!isSize(width) || !isSize(height)) return null
  const position = Number.isInteger(x) && Number.isInteger(y) ? { x: x as number, y: y as number } : {}
  return { bounds: { ...position, width, height }, maximized: maximized === true }
}

const isSize = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0

/** True when enough of the title bar is on the display to drag the window. */
function overlaps({ x, y, width }: WindowState['bounds'], area: Rectangle): boolean {
  if (x === undefined || y === undefined) return true
  const visibleWidth = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  return visibleWidth >= 100 && y >= area.y - 10 && y <= area.y + area.height - 40
}

/** Stores the state when the window closes. */
function saveWindowStateOnClose(window: BrowserWindow, dataDir: string): void {
  window.on('close', () => {
    const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() }
    try {
      writeFileSync(fileIn(dataDir), `${JSON.stringify(state)}\n`, { mode: 0o600 })
    } catch (error) {
      // Expected: ENOSPC, EROFS. The next start uses the default size.
      log.warn('the window size could not be saved', error)
    }
  })
}
