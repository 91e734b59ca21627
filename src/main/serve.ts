/** Entry of the headless host. */
import { runServer } from './server/run-server.ts'

// Not process.exit(): pending writes to a pipe would be lost.
process.exitCode = await runServer(process.argv.slice(2))
