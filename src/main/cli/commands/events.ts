/** `driftline events`: what happens in a folder, one line per named event. */
import { setTimeout as pause } from 'node:timers/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import type { EventCursor, NamedEvent } from '../../../contract/events.ts'
import { eventText } from '../../../contract/words/events.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { livingRecorder } from '../../host/hold-data-dir.ts'
import { usage } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { onEndSignal } from '../end-signals.ts'
import { escapeJson, escapeLine } from '../escape.ts'
import { reachAgain } from '../reach-again.ts'

/** Events asked for at once: the memory that a long history takes. */
const PAGE = 500
/** How long a follower waits for the next recorder before it starts one, ms: the app may take the place of the last. */
const SUCCESSOR_MS = 2000
const POLL_MS = 50

export const events = command({
  name: 'events',
  usage: ['[--follow] [--since SEQ]'],
  summary: 'list events, or follow them; with --json one document per line',
  options: {
    follow: { type: 'boolean', short: 'f', help: 'wait for more events; without --since only those from now on' },
    since: { type: 'string', value: 'SEQ', help: 'start at this position of the log (default: 0)' }
  },
  run: async (context, { values: { follow = false, since: typed } }) => {
    if (typed !== undefined && !/^\d{1,15}$/.test(typed))
      throw usage(events, `--since takes a position, such as the seq of an event, not "${typed}".`)
    const since = typed === undefined ? undefined : Number(typed)
    if (follow) await followEvents(context, since)
    else await listEvents(context, { since: since ?? 0 })
    return 0
  }
})

type Start = { readonly since?: number } | { readonly after: EventCursor }

async function listEvents(context: Context, from: Start): Promise<void> {
  for (let start = from, isOver = false; !isOver; ) {
    const { after, more } = await printPage(context, start)
    isOver = !more || context.output.isClosed()
    start = { after }
  }
}

/** Prints the next page, and returns where to continue. */
async function printPage(context: Context, start: Start): Promise<{ readonly after: EventCursor; more: boolean }> {
  const { events, next, more } = await context.ask('events.list', { ...start, limit: PAGE })
  print(context, events)
  // A slow reader slows the listing down, so that no more than a page waits for it.
  await context.output.flush()
  return { after: next, more }
}

function print({ output }: Context, events: readonly NamedEvent[]): void {
  if (output.json) output.write(events.map((event) => `${escapeJson(JSON.stringify(event))}\n`).join(''))
  else
    output.lines(
      columns(
        events.map((event) => [
          formatTime(event.at),
          `seq:${event.seq}`,
          output.paint('bold', event.event),
          escapeLine(eventText(event))
        ])
      )
    )
}

/**
 * Follows the folder until the reader closes the pipe or a signal ends it. It asks only when the recorder reports a change
 * of the folder, and continues where it was when another recorder takes the place of the last.
 */
async function followEvents(context: Context, since: number | undefined): Promise<void> {
  const { id } = await context.workspace()
  const wake = createWake()
  const stop = new AbortController()
  const isStopped = (): boolean => stop.signal.aborted
  const release = onEnd(context, () => {
    stop.abort()
    wake.now()
  })
  let start: Start = since === undefined ? {} : { since }
  try {
    while (!isStopped()) {
      const { client, closed } = await context.open()
      if (closed === null) throw noRecorder()
      let isLost = false
      closed.then(() => {
        isLost = true
        wake.now()
      })
      const off = client.on('workspace.changed', ({ workspace }) => workspace === id && wake.now())
      try {
        while (!isStopped() && !isLost) {
          const { after, more } = await printPage(context, start)
          start = { after }
          if (!more) await wake.wait()
        }
      } catch (error) {
        if (context.host === null || !isLoss(error)) throw error
      } finally {
        off()
      }
      if (!isStopped()) await awaitSuccessor(context, stop.signal)
    }
  } finally {
    release()
  }
}

/** A network that is cut may be cut again at once, while the command connects. */
function isLoss(error: unknown): boolean {
  return error instanceof DriftlineError && (error.code === 'Disconnected' || error.code === 'HostUnreachable')
}

/** `wait` resolves at the next call of `now`, or at once if that was since the last `wait`. */
function createWake() {
  let woken = Promise.withResolvers<void>()
  return {
    now: (): void => woken.resolve(),
    wait: async (): Promise<void> => {
      await woken.promise
      woken = Promise.withResolvers()
    }
  }
}

/** Calls `end` when the reader closes the pipe, and on Ctrl+C or a request to end. Returns a function that stops that. */
function onEnd({ output }: Context, end: () => void): () => void {
  output.onClosed(end)
  return onEndSignal(end)
}

async function awaitSuccessor(context: Context, signal: AbortSignal): Promise<void> {
  if (context.host !== null) {
    await reachAgain(context, context.host, signal)
    return
  }
  await context.reconnect()
  const end = performance.now() + SUCCESSOR_MS
  while (!livingRecorder(context.dataDir) && performance.now() < end) await pause(POLL_MS)
}

function noRecorder(): DriftlineError {
  return new DriftlineError(
    'Refused',
    'No recorder can run in the background here, so there is nothing to follow. Without --follow the recorded events are listed.'
  )
}
