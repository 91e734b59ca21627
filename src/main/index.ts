/** Entry of the Electron host. No top-level await: Electron emits `ready` only after this module is evaluated. */
import { start } from './electron/start.ts'

start()
