/** The words of docs/glossary.md: none of the banned ones is in names, comments, documents, test titles or on a page. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BANNED_IN_TEXTS,
  BANNED_NAMES,
  BANNED_PHRASES,
  identifiersOf,
  PUBLIC_KEYS,
  titlesOf
} from '../scripts/language.ts'
import { ROOT } from '../scripts/structure.ts'
import { VARIANTS } from './gallery/scene.ts'
import { BROWSER_SWITCHES, findBrowser } from './support/browser.ts'
import { tempFolder } from './support/tmp.ts'

interface TextFile {
  readonly path: string
  readonly text: string
}

const read = (path: string): TextFile => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })

function filesIn(folder: string, pattern: RegExp): TextFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => pattern.test(path))
    .sort()
    .map(read)
}

/** Every banned phrase with its line, so that a failure says where. */
function bannedIn({ path, text }: TextFile): string[] {
  return text
    .split('\n')
    .flatMap((line, i) => [...line.matchAll(BANNED_PHRASES)].map(([phrase]) => `${path}:${i + 1}: ${phrase}`))
}

/** The glossary names the banned words itself, in the last column of its tables. */
function withoutBannedColumn(text: string): string {
  return text.replace(/^(\|.*\|)[^|\n]*\|$/gm, '$1')
}

const SOURCES = filesIn('src', /\.tsx?$/)
const DOCS = [
  ...filesIn('docs', /\.md$/),
  ...readdirSync(ROOT)
    .filter((name) => name.endsWith('.md'))
    .map(read)
]
const TESTS = filesIn('test', /\.test\.tsx?$/)

describe('no banned word', () => {
  test('is the name of anything in src', () => {
    const found = SOURCES.flatMap(({ path, text }) =>
      identifiersOf(path, text)
        .filter((name) => BANNED_NAMES.has(name) && !PUBLIC_KEYS.has(name))
        .map((name) => `${path}: ${name}`)
    )
    expect(found).toEqual([])
  })

  test('is in a comment or text of src', () => {
    expect(SOURCES.flatMap(bannedIn)).toEqual([])
  })

  test('is in a document', () => {
    const found = DOCS.flatMap(({ path, text }) =>
      bannedIn({ path, text: path === 'docs/glossary.md' ? withoutBannedColumn(text) : text })
    )
    expect(found).toEqual([])
  })

  test('is in the title of a test', () => {
    const found = TESTS.flatMap(({ path, text }) =>
      titlesOf(path, text).flatMap((title) =>
        [...title.matchAll(BANNED_PHRASES)].map(([phrase]) => `${path}: ${phrase} in "${title}"`)
      )
    )
    expect(found).toEqual([])
  })
})

const BROWSER = findBrowser()

/** The texts of the page that are not a user's own: files, prompts, commands and messages of an agent are in other words. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const own = '.monaco-editor, .messages, .mono, code, pre'
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest(own)) texts.add(node.textContent?.trim() ?? '')
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'data-tip', 'alt'])
        if (!element.closest(own)) texts.add(element.getAttribute(name)?.trim() ?? '')
    return [...texts].filter((text) => text !== '')
  })
}

describe('no banned phrase is in the visible texts and accessible names', { tags: ['browser'] }, () => {
  const temp = tempFolder()
  let server: PreviewServer
  let browser: Browser
  let page: Page
  let url = ''

  beforeAll(async () => {
    const outDir = temp.path
    const root = join(ROOT, 'test/gallery')
    await build({
      configFile: false,
      root,
      publicDir: join(ROOT, 'src/renderer/public'),
      plugins: [react()],
      logLevel: 'error',
      worker: { format: 'es' },
      build: { outDir, emptyOutDir: true, minify: false, chunkSizeWarningLimit: 20_000 }
    })
    server = await preview({ configFile: false, root, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
    url = server.resolvedUrls?.local[0] ?? ''
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: [...BROWSER_SWITCHES] })
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  }, 180_000)

  afterAll(async () => {
    await browser?.close()
    await server?.close()
    temp[Symbol.dispose]()
  })

  test.each(VARIANTS)('of the screen "%s"', { timeout: 60_000 }, async (variant) => {
    // Texts are there before the diff editor is loaded.
    await page.goto(`${url}?variant=${variant}`, { waitUntil: 'commit' })
    if (variant.startsWith('settings-')) await page.getByRole('dialog').waitFor()
    await expect.poll(async () => (await textsOf(page)).length, { timeout: 30_000 }).toBeGreaterThan(10)
    const texts = await textsOf(page)
    expect(texts.filter((text) => text.search(BANNED_PHRASES) >= 0 || text.search(BANNED_IN_TEXTS) >= 0)).toEqual([])
  })
})
