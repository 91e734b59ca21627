/** Closing the window: recording goes on in the background if the person says so, asked once and remembered. */
import { app, type BrowserWindow, dialog } from 'electron'
import type { Client } from '../../contract/api.ts'
import { KEYS, readDesktopSettings } from './desktop-settings.ts'

export interface Staying {
  /** Guards a window: its closing is decided first. */
  guard(window: BrowserWindow): void
}

/** From now on the app ends with its last window only if that is what the person wants. */
export function stayInBackground(client: Client): Staying {
  let quitting = false
  let staying = false
  app.on('before-quit', () => {
    quitting = true
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !staying) app.quit()
  })
  return {
    guard: (window) => {
      let decided = false
      let asking = false
      window.on('close', (event) => {
        if (quitting || decided) return
        event.preventDefault()
        if (asking) return
        asking = true
        decide(client, window)
          .then((choice) => {
            staying = choice === 'keep'
            decided = choice !== 'cancel'
            if (decided && !window.isDestroyed()) window.close()
          })
          .catch((error: unknown) => {
            // The engine is gone: there is nothing to keep recording with.
            console.error(error)
            decided = true
            window.close()
          })
          .finally(() => {
            asking = false
          })
      })
    }
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
      'Driftline then stays in the tray and notices every change as it happens. Otherwise changes are found at the next start, without knowing when they were made.',
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
