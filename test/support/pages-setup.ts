/** Builds the pages under test once for all suites that open one. Those of a mode share Monaco, which takes most of the time. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { isNewer } from './global-setup.ts'
import { PAGES, PAGES_FOLDER } from './pages.ts'

const ROOT = join(import.meta.dirname, '../..')
const TESTS = join(ROOT, 'test')
const SOURCES = ['src', 'test/gallery', 'test/renderer', 'test/support'].map((path) => join(ROOT, path))

/** Each mode has a folder of its own, because one of them is React's. */
export default async function setup(): Promise<void> {
  const built = Object.values(PAGES).map(({ mode, path }) => join(PAGES_FOLDER, mode, path))
  if (isNewer(built, SOURCES)) return
  const startedAt = Date.now() / 1000
  for (const mode of new Set(Object.values(PAGES).map((page) => page.mode))) await buildPages(mode)
  // Sources saved during the build are newer than this time, so the next run builds again.
  for (const page of built) utimesSync(page, startedAt, startedAt)
}

/** NODE_ENV chooses React's mode; the rest is as it ships. */
async function buildPages(mode: string): Promise<void> {
  const ofTests = process.env.NODE_ENV
  process.env.NODE_ENV = mode
  try {
    await build({
      configFile: false,
      root: TESTS,
      publicDir: join(ROOT, 'src/renderer/public'),
      plugins: [react()],
      logLevel: 'error',
      worker: { format: 'es' },
      build: {
        outDir: join(PAGES_FOLDER, mode),
        emptyOutDir: true,
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 20_000,
        rolldownOptions: {
          input: Object.values(PAGES)
            .filter((page) => page.mode === mode)
            .map(({ path }) => join(TESTS, path))
        }
      }
    })
  } finally {
    process.env.NODE_ENV = ofTests
  }
}
