/** Folders and links that a person opens with Driftline, however the system hands them over; those that come before the window can be shown wait. */
import { app } from 'electron'
import { folderOfLink } from './links.ts'

/** A folder or a link's folder to show; neither: just the window. */
export interface Wish {
  readonly folder: string | undefined
  readonly link: string | null
}

export interface Wishes {
  /** Fulfils what waited, and everything from now on. */
  serve(fulfil: (wish: Wish) => void): void
}

/** Listens from now on: macOS hands over what the app was started with before it is ready. `read` gets the wish out of a command line. */
export function hearWishes(read: (argv: readonly string[], cwd: string) => Wish): Wishes {
  const waiting: Wish[] = []
  // Until there is a window to show, only what names something is worth waiting for.
  let fulfil = (wish: Wish): void => {
    if (wish.folder !== undefined || wish.link !== null) waiting.push(wish)
  }

  app.on('second-instance', (_event, argv, cwd, extra) => {
    const given = (extra as { folder?: unknown } | null)?.folder
    const { folder, link } = read(argv.slice(1), cwd)
    fulfil({ folder: typeof given === 'string' && given ? given : folder, link })
  })
  // A folder dropped on the Dock icon, or opened with Driftline.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    fulfil({ folder: path, link: null })
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const link = folderOfLink(url)
    if (link !== null) fulfil({ folder: undefined, link })
  })
  app.on('activate', () => fulfil({ folder: undefined, link: null }))

  return {
    serve: (next) => {
      fulfil = next
      for (const wish of waiting.splice(0)) next(wish)
    }
  }
}
