/** Entry of the recorder in the background. */
import { runRecorder } from './host/background-recorder.ts'

// It has written nothing to a pipe, and nothing that is left open may keep it running.
process.exit(await runRecorder(process.argv.slice(2)))
