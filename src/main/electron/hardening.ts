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
    const stay = (event: { preventDefault(): void }): void => event.preventDefault()
    contents.on('will-navigate', stay)
    contents.on('will-attach-webview', stay)
    contents.on('will-redirect', (event, url) => {
      if (!isOwnPage(url)) event.preventDefault()
    })
  })
}
