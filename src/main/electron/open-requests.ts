/**
 * Requests of the system to open a folder or a link: a second start, a file dropped on the icon, a link, a click in the dock.
 * Requests that arrive before the window can be shown are queued.
 */
import { app } from 'electron'
import { folderOfLink } from './links.ts'

/** A folder, or the folder of a link, to show. Without either: just the window. */
export interface OpenRequest {
  readonly folder: string | undefined
  readonly link: string | null
}

export interface OpenRequests {
  /** Passes the queued requests and all later ones to `open`. */
  serve(open: (request: OpenRequest) => void): void
}

/**
 * Listens for requests. Must run before `ready`: macOS reports the folder the app was started with before that event. `parse`
 * reads the request from the command line of a second start.
 */
export function parseOpenRequests(parse: (argv: readonly string[], cwd: string) => OpenRequest): OpenRequests {
  const queued: OpenRequest[] = []
  // The window opens anyway, so only requests with a folder or a link have to be queued.
  let open = (request: OpenRequest): void => {
    if (request.folder !== undefined || request.link !== null) queued.push(request)
  }

  app.on('second-instance', (_event, argv, cwd, extra) => {
    // The second process resolves its folder itself: Electron may reorder `argv` and append arguments to it.
    const resolved = (extra as { folder?: unknown } | null)?.folder
    const { folder, link } = parse(argv.slice(1), cwd)
    open({ folder: typeof resolved === 'string' && resolved ? resolved : folder, link })
  })
  // A folder dropped on the dock icon, or opened with "Open with".
  app.on('open-file', (event, path) => {
    event.preventDefault()
    open({ folder: path, link: null })
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const link = folderOfLink(url)
    if (link !== null) open({ folder: undefined, link })
  })
  app.on('activate', () => open({ folder: undefined, link: null }))

  return {
    serve: (next) => {
      open = next
      for (const request of queued.splice(0)) next(request)
    }
  }
}
