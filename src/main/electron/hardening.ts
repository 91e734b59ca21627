/** Restrictions for all pages: no navigation, new windows, embedded pages or permissions. */
import { app, session } from 'electron'
import { isOwnPage } from './pages.ts'

/** Denies all permissions, except writing text to the clipboard after a click. */
export function denyPermissions(): void {
  const allowed = (permission: string): boolean => permission === 'clipboard-sanitized-write'
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => allowed(permission))
}

/** Applies the restrictions to every window when it is created. */
export function guardContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    // A page may reload itself. All other URLs are refused, including those of dropped files.
    const refuseNavigation = (event: { preventDefault(): void }, url: string): void => {
      if (!isOwnPage(url)) event.preventDefault()
    }
    contents.on('will-navigate', refuseNavigation)
    contents.on('will-redirect', refuseNavigation)
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}
