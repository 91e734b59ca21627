/** Entry of the headless host. */
import { runServer } from './server/run-server.ts'

// Not process.exit: what was written to a pipe has to arrive.
process.exitCode = await runServer(process.argv.slice(2))
