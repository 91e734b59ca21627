// `npm run screenshots [-- FOLDER]`: creates the README's screenshots from the real app with a demo project, light and dark, and
// its animation: a run is reviewed, undone, and the undo is undone.
// `npm run screenshots -- --all [FOLDER] [--only NAME] [--width PX]…`: every state of the window at four widths, or at
// those given, from the gallery.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { animatedPng } from './apng.mjs'
import { makeDemo } from './demo-project.mjs'
import { ensureFitNode } from './node-choice.mjs'

ensureFitNode(import.meta.filename)
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell', '/usr/bin/google-chrome']
const browserPath = [process.env.DRIFTLINE_BROWSER, ...BROWSERS].find((path) => path && existsSync(path))
if (!browserPath) {
  console.error('screenshots: no browser found; set DRIFTLINE_BROWSER to a Chromium or Chrome.')
  process.exit(1)
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    width: { type: 'string', multiple: true }
  }
})
const launch = () =>
  chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  })
if (values.all) {
  const { photographStates } = await import('./photograph-states.mjs')
  const folder = positionals[0] ?? join(root, 'out/screenshots')
  const browser = await launch()
  const failures = await photographStates(browser, folder, values.only, values.width?.map(Number))
  await browser.close()
  console.log(`Screenshots are in ${folder}`)
  for (const failure of failures) console.error(`screenshots: ${failure}`)
  process.exit(failures.length === 0 ? 0 : 1)
}
const out = positionals[0] ?? join(root, 'docs/img')
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
const browser = await launch()

/** Until each statement that is shown has the colour of its keyword. */
async function coloured(diff) {
  await diff.locator('.editor.modified .view-line', { hasText: 'export' }).first().waitFor({ state: 'attached' })
  const editor = await diff.elementHandle()
  await diff
    .page()
    .waitForFunction(
      (diff) =>
        [...diff.querySelectorAll('.editor.modified .view-line')]
          .filter((line) => /^(import|export)/.test(line.textContent ?? ''))
          .every((line) => line.querySelector('span[class*="mtk"]:not(.mtk1)')),
      editor
    )
}

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
  await page.locator('.editor.modified:visible .view-line:visible', { hasText: 'TotalOptions' }).first().waitFor()
  await page.locator('.monaco-diff-editor :is(.line-insert, .char-insert):visible').first().waitFor()
  await coloured(page.locator('.monaco-diff-editor:visible').first())
  await save('workspace')
  await page.keyboard.press('Alt+r')
  await page.locator('.scrub-slider').press('End')
  const path = page.locator('.scrub-path')
  for (let n = 0; n < 30 && !(await path.textContent()).endsWith('total.ts'); n++)
    await page.keyboard.press('ArrowLeft')
  await page.locator('.replay-diff .view-line:visible').first().waitFor()
  await page.waitForTimeout(1500)
  await page.locator('.pulse-line').first().waitFor({ state: 'detached' })
  await save('replay')
  await page.keyboard.press('Escape')
  await page.locator('.scrubber').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Restore to start/ }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByText('need a decision').first().waitFor()
  await dialog.locator('.monaco-diff-editor .view-line').first().waitFor()
  await coloured(dialog.locator('.monaco-diff-editor'))
  await save('restore')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await save('palette')
  await context.close()
}

/** Records the animation. It changes the project, so it comes last. */
async function animation() {
  const context = await browser.newContext({ viewport: { width: 1160, height: 660 }, colorScheme: 'light' })
  const page = await context.newPage()
  const frames = []
  const shoot = async (ms) => frames.push({ png: await page.screenshot(), ms })
  /** Shows the pointer on a control, then presses it. */
  const press = async (control) => {
    const box = await control.boundingBox()
    await control.hover()
    await page.evaluate(([x, y]) => showPointer(x, y), [box.x + box.width / 2, box.y + box.height / 2])
    await shoot(900)
    await control.click()
  }
  await page.goto(url)
  await page.getByText('shop-api').first().click()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await page.evaluate(() => {
    const dot = document.body.appendChild(document.createElement('div'))
    Object.assign(dot.style, {
      position: 'fixed',
      width: '18px',
      height: '18px',
      margin: '-9px',
      borderRadius: '9px',
      background: 'rgb(34 87 214 / 0.35)',
      border: '2px solid rgb(34 87 214)',
      pointerEvents: 'none',
      zIndex: 99,
      left: '-99px'
    })
    window.showPointer = (x, y) => Object.assign(dot.style, { left: `${x}px`, top: `${y}px` })
  })
  const run = page.getByRole('treeitem', { name: /^Run, .*Add tax/ }).first()
  if (!(await run.isVisible())) await page.keyboard.press('Control+b')
  await press(run)
  const file = (name) => page.locator('.files').getByRole('treeitem', { name }).first()
  for (const [name, text] of [
    [/total\.ts/, 'TotalOptions'],
    [/tax\.ts/, 'TaxRegion']
  ]) {
    await press(file(name))
    await page.locator('.editor.modified:visible .view-line:visible', { hasText: text }).first().waitFor()
    await page.waitForTimeout(800)
    await shoot(1800)
  }
  await press(page.getByRole('button', { name: /^Undo this run/ }))
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  const confirm = dialog.getByRole('button', { name: /^Undo \d+ file/ })
  await confirm.waitFor()
  await page.waitForTimeout(800)
  await shoot(2200)
  await press(confirm)
  await page.locator('.toast').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForTimeout(800)
  await shoot(2600)
  await context.close()
  writeFileSync(join(out, 'demo.png'), animatedPng(frames))
}

try {
  await shots('light')
  await shots('dark')
  await animation()
  console.log(`Screenshots are in ${out}`)
} finally {
  await browser.close()
  host.kill('SIGTERM')
  await new Promise((ended) => host.once('exit', ended))
  rmSync(base, { recursive: true, force: true })
}
