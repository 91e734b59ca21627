/** Which host the page runs in: the preload's bridge is there in the window alone. */
import { browserPlatform } from './browser-platform.ts'
import { electronPlatform } from './electron-platform.ts'
import type { Platform } from './platform.ts'

export function detectPlatform(): Platform {
  return window.driftline ? electronPlatform(window.driftline) : browserPlatform()
}
