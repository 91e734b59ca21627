/** Size and position of the window, stored in the data folder. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserWindow, type Rectangle, screen } from 'electron'
import { log } from '../engine/ports/log.ts'

export interface WindowState {
  readonly bounds: Partial<Rectangle> & { readonly width: number; readonly height: number }
  readonly maximized: boolean
}

const DEFAULT: WindowState = { bounds: { width: 1280, height: 800 }, maximized: false }

const fileIn = (dataDir: string): string => join(dataDir, 'window.json')

/** The stored state. Without its position if that is no longer on a display; the default without a stored state. */
export function loadWindowState(dataDir: string): WindowState {
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
export function saveWindowStateOnClose(window: BrowserWindow, dataDir: string): void {
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
