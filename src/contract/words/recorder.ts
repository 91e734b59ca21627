/** What `driftline recorder` and `driftline doctor` say of the recorder. Pure. */
import type { EndReason, RecorderEnd, RecorderKind } from '../recorder.ts'
import { formatTime } from './times.ts'

const KINDS: Readonly<Record<RecorderKind, string>> = {
  electron: 'The desktop app is the recorder',
  server: '`driftline serve` is the recorder',
  background: 'The recorder runs in the background'
}

const ENDS: Readonly<Record<EndReason, string>> = {
  stopped: 'it was stopped',
  replaced: 'a newer version replaced it',
  'taken-over': 'the app took its place',
  idle: 'no command, agent or window was using it',
  closed: 'the app was closed',
  gone: 'its data folder was deleted',
  failed: 'it could not continue; its log has the reason',
  unexpected: 'it crashed or was killed'
}

/** Why there is a recorder: what runs it, as a sentence. */
export function recorderKindText(kind: RecorderKind): string {
  return `${KINDS[kind]}.`
}

/** Why there is none. `mayStart`: commands may start one. */
export function noRecorderText(mayStart: boolean): string {
  return mayStart
    ? 'No recorder is running. The next command starts one.'
    : 'No recorder is running, and DRIFTLINE_RECORDER=off keeps commands from starting one.'
}

export function recorderEndText({ at, why }: RecorderEnd, now: number): string {
  return `The last recorder ended ${formatTime(at, now)}: ${ENDS[why]}.`
}
