/** What no page of ours may do: leave, open windows, embed others, or ask for devices. */
import { app, session } from 'electron'
import { isOwnPage } from './pages.ts'

/** Refuses every permission a page could ask for, except writing text to the clipboard on a click. */
export function denyPermissions(): void {
  const allowed = (permission: string): boolean => permission === 'clipboard-sanitized-write'
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => allowed(permission))
}

/** Guards every window from its birth on. */
export function guardContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    // A page may load itself again; every other address, a dropped file's too, is refused.
    const stay = (event: { preventDefault(): void }, url: string): void => {
      if (!isOwnPage(url)) event.preventDefault()
    }
    contents.on('will-navigate', stay)
    contents.on('will-redirect', stay)
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}
