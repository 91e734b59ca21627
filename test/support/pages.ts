/** Serves the pages under test, built by pages-setup.ts, under the real content security policy, and opens them. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { LONG } from './scale.ts'
import { newPage } from './shared-browser.ts'

export const PAGES_FOLDER = resolve(import.meta.dirname, '../../out/test/pages')

/**
 * `path` is below test/, and below the folder of its mode. What the window shows is tested as it ships; React for development
 * reports mistakes, and takes twice the time: `panes` and `workspace` have it with `npm run test:long`.
 */
export const PAGES = {
  gallery: { mode: 'production', path: 'gallery/index.html' },
  panes: { mode: LONG ? 'development' : 'production', path: 'renderer/diff/page/index.html' },
  workspace: { mode: LONG ? 'development' : 'production', path: 'renderer/workspace/page/index.html' }
} as const

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml'
}
const POLICIES =
  'app-worker defaultWorkerFactory diffEditorWidget diffReview domLineBreaksComputer editorGhostText editorViewLayer ' +
  "richScreenReaderContent standaloneColorizer stickyScrollViewLayer tokenizeToString dompurify 'allow-duplicates'"
const POLICY = [
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
  "font-src 'self'; connect-src 'self'; require-trusted-types-for 'script'",
  `trusted-types ${POLICIES}`
].join('; ')

/** `problems` collects what the console and the policy complain about from then on. */
interface ShownScene {
  readonly page: Page
  readonly problems: string[]
}

/** A server of one page, and a tab for it. */
export interface Site {
  /** Replaces the scene that the page shows: nothing of the one before is left, see scenes.ts. Loads the page if need be. */
  open(query: string): Promise<ShownScene>
  /** Loads the page anew, with nothing stored, for a promise about loading. Compiling Monaco takes a second each time. */
  load(query: string): Promise<ShownScene>
  close(): Promise<void>
}

declare const showScene: (query: string) => Promise<void>

export async function startSite(name: keyof typeof PAGES): Promise<Site> {
  const { mode, path: ofPage } = PAGES[name]
  const server = createServer((request, reply) => {
    const path = new URL(request.url ?? '/', 'http://local').pathname
    try {
      const body = readFileSync(join(PAGES_FOLDER, mode, path))
      reply.writeHead(200, {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'content-security-policy': POLICY,
        // As the hosts do: the names of assets hold a hash of their content.
        'cache-control': path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-store'
      })
      reply.end(body)
    } catch {
      // Expected: a file the browser asks for by itself, such as its icon.
      reply.writeHead(204).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  let tab: Page | undefined
  let problems: string[] = []
  const openTab = async (): Promise<Page> => {
    const page = await newPage({ width: 1180, height: 760 })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    return page
  }
  const load: Site['load'] = async (query) => {
    if (tab) await tab.evaluate(() => localStorage.clear())
    else tab = await openTab()
    problems = []
    await tab.goto(`http://127.0.0.1:${port}/${ofPage}?${query}`)
    return { page: tab, problems }
  }
  return {
    load,
    async open(query) {
      if (!tab) return load(query)
      const page = tab
      problems = []
      try {
        await page.evaluate((next) => showScene(next), query)
      } catch (error) {
        // The next test gets a new tab.
        tab = undefined
        await page.close()
        throw error
      }
      return { page, problems }
    },
    async close() {
      await tab?.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  }
}
