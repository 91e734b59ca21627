/**
 * The theme setting, stored in a file of its own: it must be applied before the window opens and the engine is ready.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrowserWindow, ipcMain, nativeTheme } from 'electron'
import { CHANNELS } from '../../preload/channels.ts'
import { isOwnSender } from './pages.ts'

export type Theme = 'system' | 'light' | 'dark'

/** The page's background colours; must match --panel in tokens.css. */
const BACKGROUND = { light: '#f6f7f9', dark: '#1a1d23' } as const

export function isTheme(value: unknown): value is Theme {
  return value === 'system' || value === 'light' || value === 'dark'
}

/** Background colour of the window before its first paint. */
export function background(): string {
  return nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light
}

const fileIn = (dataDir: string): string => join(dataDir, 'theme')

/** Applies and returns the stored theme. */
export function loadTheme(dataDir: string): Theme {
  let stored = 'system'
  try {
    stored = readFileSync(fileIn(dataDir), 'utf8').trim()
  } catch {
    // Expected: ENOENT, when no theme was selected yet.
  }
  const theme = isTheme(stored) ? stored : 'system'
  nativeTheme.themeSource = theme
  return theme
}

/** Applies and stores each theme that the page selects. */
export function followTheme(dataDir: string, start: Theme): void {
  let current = start
  ipcMain.on(CHANNELS.setTheme, (event, theme: unknown) => {
    if (!isOwnSender(event) || !isTheme(theme) || theme === current) return
    current = theme
    nativeTheme.themeSource = theme
    writeFileSync(fileIn(dataDir), `${theme}\n`, { mode: 0o600 })
  })
  nativeTheme.on('updated', () => {
    for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(background())
  })
}
