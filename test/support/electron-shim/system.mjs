// The parts that use the desktop. They are recorded on stdout or answered, and never shown.
import { EventEmitter } from 'node:events'
import { strict } from './strict.mjs'
import { allWindows } from './windows.mjs'

const record =
  (name) =>
  async (...args) => {
    console.log(`[electron-shim] ${name} ${JSON.stringify(args)}`)
  }

export const shell = strict('shell', {
  openExternal: record('shell.openExternal'),
  showItemInFolder: record('shell.showItemInFolder')
})

export const dialog = strict('dialog', {
  showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
  showMessageBox: async () => ({ response: 0, checkboxChecked: false }),
  showErrorBox: (title, content) => console.error(`[electron-shim] dialog: ${title}: ${content}`)
})

const permissions = { request: undefined, check: undefined }
export const session = {
  defaultSession: strict('session', {
    setPermissionRequestHandler: (handler) => {
      permissions.request = handler
    },
    setPermissionCheckHandler: (handler) => {
      permissions.check = handler
    }
  })
}

class NativeTheme extends EventEmitter {
  #source = 'system'
  get themeSource() {
    return this.#source
  }
  set themeSource(source) {
    this.#source = source
    for (const window of allWindows()) window.later((page) => page.emulateMedia({ colorScheme: this.#scheme() }))
    this.emit('updated')
  }
  get shouldUseDarkColors() {
    return this.#scheme() === 'dark'
  }
  #scheme() {
    return this.#source === 'system' ? 'light' : this.#source
  }
}
export const nativeTheme = new NativeTheme()

export class Menu {
  static #application = null
  items = []
  static buildFromTemplate(template) {
    const menu = new Menu()
    menu.items = template.map((item) => ({
      ...item,
      submenu: Array.isArray(item.submenu) ? Menu.buildFromTemplate(item.submenu) : item.submenu
    }))
    return menu
  }
  static setApplicationMenu(menu) {
    Menu.#application = menu
  }
  static getApplicationMenu() {
    return Menu.#application
  }
}

const display = { id: 1, scaleFactor: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } }
export const screen = strict('screen', { getPrimaryDisplay: () => display, getAllDisplays: () => [display] })

export class Notification extends EventEmitter {
  /** All shown notifications, for tests. */
  static shown = []
  static isSupported() {
    return true
  }
  constructor(options) {
    super()
    this.options = options
  }
  show() {
    Notification.shown.push(this)
  }
}
