/** `driftline recorder`: shows, starts or stops the one process that records this data folder. */
import { setTimeout as pause } from 'node:timers/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import type { RecorderEnd } from '../../../contract/recorder.ts'
import { noRecorderText, recorderEndText, recorderKindText } from '../../../contract/words/recorder.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { connectHost, requestEnd } from '../../host/connect-host.ts'
import { readEngineFile } from '../../host/engine-file.ts'
import { endSilentRecorder, noAnswerError } from '../../host/hold-data-dir.ts'
import { readLastEnd } from '../../host/last-end.ts'
import { mayStartRecorder } from '../../host/start-recorder.ts'
import { choose } from '../arguments.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { hangingRecorder, PATIENCE, requireRecorder } from '../open-client.ts'

/** How long a recorder may take to end, ms. */
const END_TIMEOUT_MS = 15_000

export const recorder = command({
  name: 'recorder',
  onlyHere: true,
  usage: ['[status|start|stop]'],
  summary: 'show, start or stop the process that records; commands start it automatically',
  options: {},
  positionals: [0, 1],
  run: async (context, { positionals: [action = 'status'] }) => {
    switch (choose('recorder', ['status', 'start', 'stop'], action)) {
      case 'start':
        await start(context)
        break
      case 'stop':
        await stopRecorder(context)
    }
    return printStatus(context)
  }
})

interface RecorderStatus {
  readonly running: boolean
  /** False: there is none, or it hangs. */
  readonly answers: boolean
  readonly pid: number | null
  readonly version: string | null
  /** Milliseconds UTC. */
  readonly since: number | null
  /** A sentence on why there is one, or none. */
  readonly why: string
  readonly lastEnd: RecorderEnd | null
}

/** The recorder of a data folder; it is not started. */
export async function readRecorderStatus(dataDir: string, { answer } = PATIENCE): Promise<RecorderStatus> {
  const host = await connectHost(dataDir, answer, answer)
  const lastEnd = readLastEnd(dataDir)
  if (!host) {
    const silent = await hangingRecorder(dataDir)
    if (silent) {
      const { pid, version, startedAt: since } = silent
      return { running: true, answers: false, pid, version, since, why: noAnswerError(silent).message, lastEnd }
    }
    const why = noRecorderText(mayStartRecorder(process.env))
    return { running: false, answers: false, pid: null, version: null, since: null, why, lastEnd }
  }
  host.disconnect()
  const { pid, version, startedAt: since, kind = 'server' } = host.file
  return { running: true, answers: true, pid, version, since, why: recorderKindText(kind), lastEnd }
}

/** The lines for a person. */
export function recorderLines(status: RecorderStatus, now: number): string[] {
  const { pid, version, since, why, lastEnd } = status
  return [
    since === null ? why : `${why} Process ${pid}, version ${version}, since ${formatTime(since, now)}.`,
    ...(lastEnd === null ? [] : [recorderEndText(lastEnd, now)])
  ]
}

async function printStatus({ dataDir, invocation, output }: Context): Promise<number> {
  const status = await readRecorderStatus(dataDir, invocation.patience)
  return output.print(status, recorderLines(status, Date.now()))
}

async function start({ dataDir, invocation }: Context): Promise<void> {
  const host = await requireRecorder(dataDir, invocation.programs.recorder, invocation.patience)
  host.disconnect()
}

/** Resolves once the recorder has ended, or at once if there is none. Fails with Refused for the desktop app. */
export async function stopRecorder({ dataDir, invocation }: Context): Promise<void> {
  const { answer } = invocation.patience ?? PATIENCE
  const host = await connectHost(dataDir, answer, answer)
  if (!host) {
    const silent = await hangingRecorder(dataDir)
    if (silent?.kind === 'electron') throw noAnswerError(silent)
    if (silent) endSilentRecorder(dataDir, silent)
    return
  }
  await requestEnd(host, 'stopped')
  const end = performance.now() + END_TIMEOUT_MS
  while (readEngineFile(dataDir)?.pid === host.file.pid) {
    if (performance.now() > end)
      throw new DriftlineError('Bug', `The recorder (process ${host.file.pid}) is still ending. The history is safe.`)
    await pause(20)
  }
}
