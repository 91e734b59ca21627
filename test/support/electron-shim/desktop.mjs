// The desktop around the windows: the tray and the power supply. Nothing is drawn; tests read the values that were set.
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'

export class Tray extends EventEmitter {
  /** All created trays, for tests. */
  static all = []
  image
  toolTip = ''
  menu = null
  constructor(image) {
    super()
    this.setImage(image)
    Tray.all.push(this)
  }
  setImage(image) {
    if (typeof image === 'string' && !existsSync(image)) throw new Error(`electron shim: no tray image at ${image}`)
    this.image = image
  }
  setToolTip(text) {
    this.toolTip = text
  }
  setContextMenu(menu) {
    this.menu = menu
  }
}

class PowerMonitor extends EventEmitter {
  onBatteryPower = false
}
export const powerMonitor = new PowerMonitor()
