/** The `electron` module in unit tests: importable names without function. Electron itself is tested end to end. */
const absent = new Proxy(
  {},
  {
    get(_target, name) {
      throw new Error(`electron's ${String(name)} is not available in a unit test; test this end to end.`)
    }
  }
)

export const app: object = absent
export const BrowserWindow: object = absent
export const dialog: object = absent
export const ipcMain: object = absent
export const Menu: object = absent
export const Notification: object = absent
export const nativeTheme: object = absent
export const powerMonitor: object = absent
export const protocol: object = absent
export const screen: object = absent
export const session: object = absent
export const shell: object = absent
export const Tray: object = absent
