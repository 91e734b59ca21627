/** Light or dark before the page can say so: the choice is kept beside the store and applied before the window opens. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrowserWindow, ipcMain, nativeTheme } from 'electron'
import { CHANNELS } from '../../preload/channels.ts'
import { isOwnSender } from './sender.ts'

export type Theme = 'system' | 'light' | 'dark'

/** The page's own background colours (tokens.css: --panel). */
const BACKGROUND = { light: '#f6f7f9', dark: '#1a1d23' } as const

export function isTheme(value: unknown): value is Theme {
  return value === 'system' || value === 'light' || value === 'dark'
}

/** Colour of the window before its first paint. */
export function background(): string {
  return nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light
}

const fileIn = (dataDir: string): string => join(dataDir, 'theme')

/** Applies the kept choice. */
export function loadTheme(dataDir: string): Theme {
  let kept = 'system'
  try {
    kept = readFileSync(fileIn(dataDir), 'utf8').trim()
  } catch {
    // Expected: ENOENT, nobody chose yet.
  }
  const theme = isTheme(kept) ? kept : 'system'
  nativeTheme.themeSource = theme
  return theme
}

/** Follows the page's choice from now on. */
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
