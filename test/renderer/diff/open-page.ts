/** Builds the page of panes as it would ship, serves it under the real content security policy, and opens it. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { BROWSER_SWITCHES, findBrowser } from '../../support/browser.ts'

export const BROWSER = findBrowser()
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const POLICIES =
  'app-worker defaultWorkerFactory diffEditorWidget diffReview domLineBreaksComputer editorGhostText editorViewLayer ' +
  "richScreenReaderContent standaloneColorizer stickyScrollViewLayer tokenizeToString dompurify 'allow-duplicates'"
const POLICY = [
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
  "font-src 'self'; connect-src 'self'; require-trusted-types-for 'script'",
  `trusted-types ${POLICIES}`
].join('; ')

export interface PanesPage {
  /** A fresh page; `problems` collects what the console and the policy complain about. */
  open(query: string): Promise<{ readonly page: Page; readonly problems: string[] }>
  close(): Promise<void>
}

/** `folder`: the page, relative to this one. NODE_ENV of tests gives it React for development, with StrictMode and Profiler. */
export async function startPanes(folder = 'page'): Promise<PanesPage> {
  const out = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-panes-')))
  await build({
    configFile: false,
    root: resolve(import.meta.dirname, folder),
    plugins: [react()],
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: out, emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 20_000 }
  })
  const server = createServer((request, reply) => {
    const path = new URL(request.url ?? '/', 'http://local').pathname
    try {
      const body = readFileSync(join(out, path === '/' ? 'index.html' : path))
      reply.writeHead(200, {
        'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream',
        'content-security-policy': POLICY
      })
      reply.end(body)
    } catch {
      // Expected: a file the browser asks for by itself, such as its icon.
      reply.writeHead(204).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const browser: Browser = await chromium.launch({ executablePath: BROWSER ?? '', args: [...BROWSER_SWITCHES] })
  return {
    async open(query) {
      const page = await browser.newPage({ viewport: { width: 1180, height: 760 } })
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      await page.goto(`http://127.0.0.1:${port}/?${query}`)
      return { page, problems }
    },
    async close() {
      await browser.close()
      await new Promise((done) => server.close(done))
      rmSync(out, { recursive: true, force: true })
    }
  }
}
