/** Detects the host: only Electron's preload defines `window.driftline`. */
import { browserPlatform } from './browser-platform.ts'
import { electronPlatform } from './electron-platform.ts'
import type { Platform } from './platform.ts'

export function detectPlatform(): Platform {
  return window.driftline ? electronPlatform(window.driftline) : browserPlatform()
}
