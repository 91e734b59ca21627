// `electron [chromium switches] <app folder or main file> [arguments]`

import { readFileSync, statSync } from 'node:fs'
import inspector from 'node:inspector'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isQuitting, startApp } from './app.mjs'
import { launchBrowser } from './browser.mjs'
import { reservePorts } from './schemes.mjs'

const shimUrl = new URL('./module.mjs', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: shimUrl, format: 'module', shortCircuit: true }
      : next(specifier, context)
})

const given = process.argv.slice(2)
const at = given.findIndex((argument) => !argument.startsWith('-'))
const appPath = resolve(given[at] ?? '.')
const main = statSync(appPath).isDirectory()
  ? join(appPath, JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8')).main)
  : appPath
// As in Electron: the binary, the app's path, then the arguments.
process.argv.splice(1, process.argv.length, appPath, ...given.slice(at + 1))
Object.defineProperty(process.versions, 'electron', { value: '45.4.1-shim', configurable: true })
process.type = 'browser'

await reservePorts()

const tooLong = setTimeout(() => {
  console.error('[electron-shim] main did not finish evaluating in 10 s: a top-level await on app.whenReady()?')
  process.exit(3)
}, 10_000)
await import(pathToFileURL(main).href)
clearTimeout(tooLong)

if (!isQuitting()) {
  if (given.some((argument) => argument.startsWith('--inspect'))) {
    const devTools = await launchBrowser()
    // Playwright's _electron.launch waits for these lines on stderr, in this order.
    inspector.open(0, '127.0.0.1')
    const attached = Promise.withResolvers()
    globalThis.__playwright_run = () => attached.resolve()
    process.stderr.write(`DevTools listening on ${devTools}\n`)
    await Promise.race([attached.promise, new Promise((done) => setTimeout(done, 5000).unref())])
  }
  startApp()
}
