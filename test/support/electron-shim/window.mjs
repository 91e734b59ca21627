// `BrowserWindow` and `webContents` on a page of Chromium. Calls before the page exists are queued.
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { app, isQuitting, isReady } from './app.mjs'
import { newPage } from './browser.mjs'
import { answerInvoke, clone, deliverSend } from './ipc.mjs'
import { fromHttp, toHttp } from './schemes.mjs'
import { session } from './system.mjs'
import { addWindow, allWindows, removeWindow } from './windows.mjs'

let nextId = 1
const CLOSING_MS = 5000

class WebContents extends EventEmitter {
  id = nextId++
  session = session.defaultSession
  #window
  #openHandler = () => ({ action: 'allow' })

  constructor(window) {
    super()
    this.#window = window
  }
  getURL() {
    return this.#window.page ? fromHttp(this.#window.page.url()) : ''
  }
  get mainFrame() {
    return { url: this.getURL(), parent: null }
  }
  isDestroyed() {
    return this.#window.isDestroyed()
  }
  send(channel, ...args) {
    const copies = clone(args)
    this.#window.later((page) =>
      page.evaluate(([to, values]) => window.electronShimEmit?.(to, values), [channel, copies])
    )
  }
  /** What was dragged out of the page, for tests. */
  dragged = []
  startDrag(item) {
    this.dragged.push(item)
  }
  setWindowOpenHandler(handler) {
    this.#openHandler = handler
  }
  askToOpen(url) {
    const { action } = this.#openHandler({ url, frameName: '', disposition: 'foreground-tab' })
    if (action !== 'deny')
      console.error(`[electron-shim] a page may open ${url}; the shim opens no second window for it`)
  }
  reload() {
    this.#window.later((page) => this.#window.asOurs(() => page.reload()))
  }
  executeJavaScript(code) {
    return this.#window.later((page) => page.evaluate(code))
  }
  openDevTools() {}
}

export class BrowserWindow extends EventEmitter {
  page
  webContents
  #options
  #queue
  #opened
  #destroyed = false
  #shown = false
  #maximized = false
  #bounds
  #navigatingOurselves = 0

  static getAllWindows() {
    return allWindows()
  }
  static getFocusedWindow() {
    return allWindows().at(-1) ?? null
  }
  static fromWebContents(contents) {
    return allWindows().find((window) => window.webContents === contents) ?? null
  }

  constructor(options = {}) {
    super()
    if (!isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    const { nodeIntegration, contextIsolation, sandbox } = options.webPreferences ?? {}
    if (nodeIntegration || contextIsolation === false || sandbox === false) {
      throw new Error('electron shim: insecure webPreferences')
    }
    this.#options = options
    this.#bounds = { x: 0, y: 0, width: 800, height: 600, ...pick(options, ['x', 'y', 'width', 'height']) }
    this.webContents = new WebContents(this)
    addWindow(this)
    app.emit('web-contents-created', {}, this.webContents)
    app.emit('browser-window-created', {}, this)
    this.#opened = this.#open()
    this.#queue = this.#opened
    this.#queue.catch((error) => {
      console.error(error)
      process.exitCode = 1
    })
  }

  /** Runs `work` on the page after all earlier calls. */
  later(work) {
    const done = this.#queue.then(() => (this.#destroyed ? undefined : work(this.page)))
    // If the page closes meanwhile, its work fails silently, as in Electron.
    this.#queue = done.catch(() => {})
    return this.#queue
  }
  /** A navigation requested by the host, which emits no will-navigate. */
  async asOurs(work) {
    this.#navigatingOurselves++
    try {
      return await work()
    } finally {
      this.#navigatingOurselves--
    }
  }

  async #open() {
    const page = await newPage()
    this.page = page
    await page.setViewportSize({ width: this.#bounds.width, height: this.#bounds.height })
    const eventOf = ({ frame }) => ({
      sender: this.webContents,
      processId: 1,
      frameId: 1,
      senderFrame: { url: fromHttp(frame.url()), parent: frame.parentFrame() ? {} : null }
    })
    await page.exposeBinding('electronShimInvoke', (source, channel, args) =>
      answerInvoke(eventOf(source), channel, args)
    )
    await page.exposeBinding('electronShimSend', (source, channel, args) => deliverSend(eventOf(source), channel, args))
    const { preload, additionalArguments = [] } = this.#options.webPreferences ?? {}
    if (preload) await page.addInitScript(pageHost(preload, additionalArguments))
    page.on('close', () => this.#closed())
    page.on('console', (message) => {
      if (message.type() === 'error') console.error(`[page] ${message.text()}`)
    })
    page.on('pageerror', (error) => console.error(`[page] ${error.stack ?? error}`))
    await page.route('**/*', (route) => this.#mayNavigate(route))
  }

  /** Emits will-navigate for navigations of the main frame that the page started. */
  async #mayNavigate(route) {
    const request = route.request()
    const ofPage = request.isNavigationRequest() && request.frame() === this.page.mainFrame()
    if (!ofPage || this.#navigatingOurselves > 0) return route.continue()
    let stopped = false
    const url = fromHttp(request.url())
    const preventDefault = () => {
      stopped = true
    }
    this.webContents.emit('will-navigate', { preventDefault, url, isMainFrame: true }, url)
    return stopped ? route.abort('aborted') : route.continue()
  }

  async loadURL(url) {
    let failure
    await this.later(async (page) => {
      try {
        const response = await this.asOurs(() => page.goto(toHttp(url)))
        if (response && !response.ok()) throw new Error(`ERR_FAILED (${response.status()}) loading '${url}'`)
      } catch (error) {
        const [code] = /ERR_\w+/.exec(error.message) ?? []
        failure = Object.assign(error, { code })
        return
      }
      this.webContents.emit('did-finish-load', {})
      this.emit('ready-to-show', {})
    })
    if (failure && !this.#destroyed && !isQuitting()) throw failure
  }

  show() {
    this.#shown = true
    this.emit('show')
  }
  hide() {
    this.#shown = false
  }
  isVisible() {
    return this.#shown
  }
  focus() {
    this.emit('focus')
    app.emit('browser-window-focus', {}, this)
  }
  isFocused() {
    return this.#shown
  }
  restore() {}
  isMinimized() {
    return false
  }
  maximize() {
    this.#maximized = true
  }
  isMaximized() {
    return this.#maximized
  }
  getBounds() {
    return { ...this.#bounds }
  }
  getNormalBounds() {
    return { ...this.#bounds }
  }
  setBounds(bounds) {
    this.#bounds = { ...this.#bounds, ...bounds }
    this.later((page) => page.setViewportSize({ width: this.#bounds.width, height: this.#bounds.height }))
  }
  getMinimumSize() {
    return [this.#options.minWidth ?? 0, this.#options.minHeight ?? 0]
  }
  getTitle() {
    return this.#options.title ?? ''
  }
  setBackgroundColor(color) {
    this.#options = { ...this.#options, backgroundColor: color }
  }
  getBackgroundColor() {
    return this.#options.backgroundColor ?? '#FFFFFF'
  }
  isDestroyed() {
    return this.#destroyed
  }
  /** The `close` event can be cancelled. */
  close() {
    if (!this.#isStopped()) this.destroy()
  }
  destroy() {
    void this.#end()
  }
  /** Closes the window on quit. Unlike in Electron, a window cannot cancel this; the app never does. */
  async closeNow() {
    if (this.#destroyed) return
    if (this.#isStopped()) throw new Error('electron shim: a window stopped quitting')
    await this.#end()
  }
  #isStopped() {
    let stopped = false
    this.emit('close', {
      preventDefault: () => {
        stopped = true
      }
    })
    return stopped
  }
  async #end() {
    // A page that closes during its setup would break Playwright's connection.
    await this.#opened.catch(() => {})
    // A loading page may never answer; it closes with its browser.
    await Promise.race([this.page?.close().catch(() => {}), delay(CLOSING_MS, undefined, { ref: false })])
    this.#closed()
  }
  #closed() {
    if (this.#destroyed) return
    this.#destroyed = true
    removeWindow(this)
    this.webContents.emit('destroyed')
    this.emit('closed')
    if (allWindows().length === 0 && !isQuitting() && !app.emit('window-all-closed')) app.quit()
  }
}

function pick(from, names) {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]))
}

/** page-host.js with the preload's source inserted. */
function pageHost(preload, argv) {
  const host = readFileSync(new URL('./page-host.js', import.meta.url), 'utf8')
  const settings = JSON.stringify({ platform: process.platform, argv })
  return host.replace('/* PRELOAD */', () => readFileSync(preload, 'utf8')).replace('/* SETTINGS */ {}', () => settings)
}
