// `npm run screenshots`: creates the README's screenshots from the real app with a demo project, light and dark.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { makeDemo } from './demo-project.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell', '/usr/bin/google-chrome']
const browserPath = [process.env.DRIFTLINE_BROWSER, ...BROWSERS].find((path) => path && existsSync(path))
if (!browserPath) {
  console.error('screenshots: no browser found; set DRIFTLINE_BROWSER to a Chromium or Chrome.')
  process.exit(1)
}
const out = process.argv[2] ?? join(root, 'docs/img')
mkdirSync(out, { recursive: true })
const base = mkdtempSync(join(tmpdir(), 'driftline-screens-'))
const folder = join(base, 'code', 'shop-api')
const data = join(base, 'data')
makeDemo(folder, data)
const host = spawn(join(root, 'bin/driftline'), ['serve', '--no-open', '--stay', '--data', data], {
  stdio: ['ignore', 'pipe', 'inherit'],
  // The app then shows the folder as ~/code/shop-api.
  env: { ...process.env, HOME: base }
})
const url = await new Promise((found) => host.stdout.once('data', (text) => found(String(text).trim())))
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
})

async function shots(theme) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme })
  const page = await context.newPage()
  const save = async (name) => {
    await page.mouse.move(0, 0)
    await page.screenshot({ path: join(out, `${name}-${theme}.png`) })
  }
  await page.goto(url)
  await page.getByText('Recent').waitFor()
  await save('welcome')
  await page.getByText('shop-api').first().click()
  // The banner moves the rows down after the first check, so wait for it before clicking a row.
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
  await page
    .getByRole('treeitem', { name: /^Run, .*Add tax/ })
    .first()
    .click()
  await page
    .locator('.files')
    .getByRole('treeitem', { name: /total\.ts/ })
    .first()
    .click()
  // The editor shows the previous file until the new one is loaded.
  await page.locator('.editor.modified .view-line', { hasText: 'TotalOptions' }).first().waitFor()
  await page.locator('.monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert').first().waitFor()
  // Wait until both sides are coloured.
  for (const side of ['original', 'modified'])
    await page
      .locator(`.editor.${side} .view-line span[class*="mtk"]:not(.mtk1)`)
      .first()
      .waitFor({ state: 'attached' })
  await save('workspace')
  await page.getByRole('button', { name: /^Restore to start/ }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByText('need a decision').first().waitFor()
  await dialog.locator('.monaco-diff-editor .view-line').first().waitFor()
  await save('restore')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await save('palette')
  await context.close()
}

try {
  await shots('light')
  await shots('dark')
  console.log(`Screenshots are in ${out}`)
} finally {
  await browser.close()
  host.kill('SIGTERM')
  await new Promise((ended) => host.once('exit', ended))
  rmSync(base, { recursive: true, force: true })
}
