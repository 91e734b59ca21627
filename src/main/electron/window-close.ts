/** Closing the window: asks once whether to keep recording in the background, and stores the answer. */
import { app, BrowserWindow, dialog } from 'electron'
import type { Client } from '../../contract/api.ts'
import { log } from '../engine/ports/log.ts'
import { KEYS, readDesktopSettings } from './desktop-settings.ts'

/**
 * The app quits with its last window, unless the user chose to keep recording. Returns what makes closing a window wait
 * for that decision.
 */
export function handleWindowClose(client: Client): (window: BrowserWindow) => void {
  let quitting = false
  let keepRecording = false
  app.on('before-quit', () => {
    quitting = true
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !keepRecording) app.quit()
  })
  return (window) => {
    let decided = false
    let deciding = false
    window.on('close', (event) => {
      // The app has other windows.
      if (quitting || decided || BrowserWindow.getAllWindows().length > 1) return
      event.preventDefault()
      if (deciding) return
      deciding = true
      decide(client, window)
        .then((choice) => {
          keepRecording = choice === 'keep'
          decided = choice !== 'cancel'
          if (decided && !window.isDestroyed()) window.close()
        })
        .catch((error: unknown) => {
          // The engine is not available, so nothing can be recorded in the background.
          log.error('the window could not ask before closing', error)
          decided = true
          window.close()
        })
        .finally(() => {
          deciding = false
        })
    })
  }
}

const ANSWERS = ['keep', 'quit', 'cancel'] as const

async function decide(client: Client, window: BrowserWindow): Promise<(typeof ANSWERS)[number]> {
  const { background } = await readDesktopSettings(client)
  if (background !== 'ask') return background
  const { response, checkboxChecked } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'Keep recording while the window is closed?',
    detail:
      'Driftline stays in the tray and records every change when it happens. If you quit, changes are found at the next start, without their time or author.',
    buttons: ['Keep recording', 'Quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    checkboxLabel: 'Do not ask again',
    checkboxChecked: true
  })
  const answer = ANSWERS[response] ?? 'cancel'
  if (answer !== 'cancel' && checkboxChecked) await client.call('settings.set', { key: KEYS.background, value: answer })
  return answer
}
