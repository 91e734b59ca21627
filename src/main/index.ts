/** Entry of the Electron host. `ready` fires only after this module was evaluated, so nothing here waits for it. */
import { start } from './electron/start.ts'

start()
