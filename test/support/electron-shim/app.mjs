// `app`: paths, the single instance lock, and quitting in Electron's order of events.
import { EventEmitter } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  watch,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeBrowser } from './browser.mjs'
import { strict } from './strict.mjs'
import { allWindows } from './windows.mjs'

let ready = false
let quitting = false
let home

export const isReady = () => ready
export const isQuitting = () => quitting

class App extends EventEmitter {
  isPackaged = false
  commandLine = { appendSwitch() {}, hasSwitch: () => false, getSwitchValue: () => '' }
  #paths = new Map()
  #ready = Promise.withResolvers()
  #lock = ''

  whenReady() {
    return this.#ready.promise
  }
  isReady() {
    return ready
  }
  becomeReady() {
    ready = true
    this.emit('ready', {})
    this.#ready.resolve()
    if (this.#lock) this.#hearOthers()
  }

  /** Requests to the desktop, for tests. */
  asked = { login: null, links: [], jumpList: null }
  dock = process.platform === 'darwin' ? { setMenu() {} } : undefined
  setLoginItemSettings(settings) {
    this.asked.login = settings
  }
  setAsDefaultProtocolClient(scheme) {
    this.asked.links.push(scheme)
    return true
  }
  setJumpList(list) {
    this.asked.jumpList = list
    return 'ok'
  }

  getName() {
    return 'driftline'
  }
  getVersion() {
    return '0.0.0'
  }
  getAppPath() {
    return process.argv[1]
  }
  setPath(name, path) {
    this.#paths.set(name, path)
  }
  getPath(name) {
    home ??= mkdtempSync(join(tmpdir(), 'electron-shim-'))
    const path = this.#paths.get(name) ?? join(home, name)
    mkdirSync(path, { recursive: true })
    return path
  }

  /** The lock is a file with our pid next to the profile. A second process leaves a message there and gets false. */
  requestSingleInstanceLock(additionalData = {}) {
    const lock = join(this.getPath('userData'), 'shim-instance')
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch {
      const holder = Number(readFileSync(lock, 'utf8'))
      if (isAlive(holder)) {
        const note = { argv: process.argv, cwd: process.cwd(), additionalData }
        writeFileSync(`${lock}.note-${process.pid}.json`, JSON.stringify(note))
        return false
      }
      writeFileSync(lock, String(process.pid))
    }
    this.#lock = lock
    process.on('exit', () => rmSync(lock, { force: true }))
    return true
  }
  #hearOthers() {
    const folder = this.getPath('userData')
    const read = () => {
      // A test may delete its folders before the last event arrives.
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        if (!/^shim-instance\.note-\d+\.json$/.test(name)) continue
        const text = readFileSync(join(folder, name), 'utf8')
        if (!text) continue
        unlinkSync(join(folder, name))
        const { argv, cwd, additionalData } = JSON.parse(text)
        this.emit('second-instance', {}, argv, cwd, additionalData)
      }
    }
    watch(folder, read).unref()
    read()
  }

  /** before-quit, windows close, will-quit, quit. before-quit and will-quit can be cancelled. */
  quit() {
    if (quitting) return
    quitting = true
    if (this.#isStopped('before-quit')) return
    void (async () => {
      for (const window of allWindows()) await window.closeNow()
      if (this.#isStopped('will-quit')) return
      this.emit('quit', {}, 0)
      await this.exit(process.exitCode ?? 0)
    })()
  }
  #isStopped(event) {
    let stopped = false
    this.emit(event, {
      preventDefault: () => {
        stopped = true
      }
    })
    if (stopped) quitting = false
    return stopped
  }
  async exit(code = 0) {
    quitting = true
    await closeBrowser()
    if (home) rmSync(home, { recursive: true, force: true })
    process.exit(code)
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const theApp = new App()
export const app = strict('app', theApp)
export const startApp = () => theApp.becomeReady()

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => theApp.quit())
