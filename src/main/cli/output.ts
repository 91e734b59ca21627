/**
 * Output of a command. Stdout carries either one JSON document or the result as text; notes, progress and errors go to
 * stderr. Writes keep their order across both streams.
 */
import { escapeJson } from './escape.ts'
import { painterFor } from './paint.ts'

/** The part of a writable stream used here; process.stdout fits. */
export interface Sink {
  readonly isTTY?: boolean
  readonly columns?: number
  write(data: string | Uint8Array, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

/** A command that a text names: in quotes, or at the start of a line. Those about hosts are typed as they are. */
const NAMED_COMMAND = /(^ *|[`"])driftline (?!--host |hosts\b)/gm

export type Output = ReturnType<typeof createOutput>

/** When the reader closes the pipe (`| head`), output stops and the command continues. `json` is true with `--json`. */
export function createOutput(out: Sink, err: Sink, env: NodeJS.ProcessEnv, json: boolean) {
  const isTerminal = out.isTTY === true
  const streams = createStreams(out, err)
  let named = (text: string): string => text
  /** Prints lines on stdout; nothing with `--json`. */
  const lines = (lines: readonly string[]): void => {
    streams.clearProgress()
    if (!json && lines.length > 0) streams.send(out, `${named(lines.join('\n'))}\n`)
  }
  const sendJson = (text: string): void => {
    streams.clearProgress()
    if (json) streams.send(out, escapeJson(text))
  }
  /** Prints the JSON document; nothing without `--json`. */
  const document = (value: unknown): void => sendJson(`${JSON.stringify(value, null, isTerminal ? 2 : 0)}\n`)
  return {
    json,
    isTerminal,
    /** Begins a document whose list `key` is printed as it is read: `{key: [...], ...rest}`. Nothing without `--json`. */
    openDocument: (key: string) => {
      const line = isTerminal ? '\n' : ''
      let before = `{${JSON.stringify(key)}:[${line}`
      let empty = true
      return {
        add: (items: readonly unknown[]) => {
          if (items.length === 0) return
          sendJson(before + items.map((item) => JSON.stringify(item)).join(`,${line}`))
          before = `,${line}`
          empty = false
        },
        end: (rest: object) => {
          const others = JSON.stringify(rest).slice(1)
          sendJson(`${empty ? before : ''}]${others === '}' ? '' : ','}${others}\n`)
        }
      }
    },
    /** From now on the commands in texts for people have `--host NAME`: without it they would be about this computer. */
    nameHost(name: string): void {
      named = (text) => text.replace(NAMED_COMMAND, `$1driftline --host ${name} `)
    },
    isClosed: streams.isClosed,
    onClosed: streams.onClosed,
    /** Painter for stdout. */
    paint: painterFor(isTerminal, env),
    /** Painter for stderr. */
    paintNote: painterFor(err.isTTY === true, env),
    width: isTerminal ? (out.columns ?? 80) : 200,
    /** Writes text or bytes to stdout unchanged. */
    write: (data: string | Uint8Array): void => {
      streams.clearProgress()
      streams.send(out, data)
    },
    lines,
    document,
    /** Prints the result of a command, as document or as text. Returns the exit code of success. */
    print(value: unknown, text: readonly string[]): number {
      document(value)
      lines(text)
      return 0
    },
    /** Prints a sentence on stderr. */
    note(sentence: string): void {
      streams.clearProgress()
      streams.send(err, `${named(sentence)}\n`)
    },
    progress: streams.progress,
    flush: streams.flush,
    failure: streams.failure
  }
}

/** Writes to both streams in one order, until the reader of stdout is gone. */
function createStreams(out: Sink, err: Sink) {
  let pending: Promise<void> = Promise.resolve()
  let closed = false
  let onClosed = (): void => {}
  let onProgressLine = false
  /** Why stdout is incomplete. */
  let failure: Error | null = null
  const broken = new Set<Sink>()
  const onError = (sink: Sink, error: NodeJS.ErrnoException): void => {
    const isGone = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
    if (sink === out && !isGone) failure ??= error
    broken.add(sink)
    // What cannot be reported on stderr is not reported.
    if (sink === err && !isGone) return
    closed = true
    onClosed()
  }
  for (const sink of [out, err]) sink.on('error', (error) => onError(sink, error))
  /** Resolves when it is written, or cannot be. */
  const write = (sink: Sink, data: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      if (broken.has(sink)) return resolve()
      try {
        sink.write(data, () => resolve())
      } catch (error) {
        // A stream of a file writes at once, and throws. Where nothing was to be written, nothing is missing.
        if (data.length > 0) onError(sink, error as Error)
        resolve()
      }
    })
  const send = (sink: Sink, data: string | Uint8Array): void => {
    if (sink === out && closed) return
    const sent = write(sink, data)
    pending = pending.then(() => sent)
  }
  const clearProgress = (): void => {
    if (!onProgressLine) return
    onProgressLine = false
    send(err, '\r\u001b[K')
  }
  return {
    send,
    /** Call before anything else is written. */
    clearProgress,
    /** Prints a progress line on stderr that the next one replaces, on a terminal only. "" clears it. */
    progress(line: string): void {
      if (err.isTTY !== true) return
      clearProgress()
      if (line === '') return
      onProgressLine = true
      send(err, `\r${line}`)
    },
    /** Whether the reader has closed the pipe. */
    isClosed: (): boolean => closed,
    /** Replaces an earlier listener. */
    onClosed: (listener: () => void): void => {
      onClosed = listener
    },
    /** Resolves when all output has left the process. */
    async flush(): Promise<void> {
      await pending
      // The callback of an empty write runs after all earlier writes, including those of other writers to the stream.
      await Promise.all([out, err].map((sink) => write(sink, '')))
    },
    /** Why stdout could not be written, once it is flushed; null if it was, or if its reader is gone. */
    failure: (): Error | null => failure
  }
}
