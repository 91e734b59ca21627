/** What the recorder in the background loads beside its engine. A separate program file with its own code cache. */
export { runRecorder } from './host/background-recorder.ts'
