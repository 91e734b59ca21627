/** Builds the pages under test once for all suites that open one. They share Monaco, which takes most of the time. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { isNewer } from './global-setup.ts'
import { PAGES, PAGES_FOLDER } from './pages.ts'

const ROOT = join(import.meta.dirname, '../..')
const TESTS = join(ROOT, 'test')
const SOURCES = ['src', 'test/gallery', 'test/renderer', 'test/support'].map((path) => join(ROOT, path))

/** NODE_ENV of tests gives the pages React for development, with StrictMode and Profiler; the rest is as it would ship. */
export default async function setup(): Promise<void> {
  const built = Object.values(PAGES).map((page) => join(PAGES_FOLDER, page))
  if (isNewer(built, SOURCES)) return
  const startedAt = Date.now() / 1000
  await build({
    configFile: false,
    root: TESTS,
    publicDir: join(ROOT, 'src/renderer/public'),
    plugins: [react()],
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: PAGES_FOLDER,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 20_000,
      rolldownOptions: { input: Object.values(PAGES).map((page) => join(TESTS, page)) }
    }
  })
  // Sources saved during the build are newer than this time, so the next run builds again.
  for (const page of built) utimesSync(page, startedAt, startedAt)
}
