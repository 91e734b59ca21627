/**
 * Output of a command. Stdout carries either one JSON document or the result as text; notes, progress and errors go to
 * stderr. Writes keep their order across both streams.
 */
import { escapeJson } from './escape.ts'
import { type Paint, painterFor } from './paint.ts'

/** The part of a writable stream used here; process.stdout fits. */
export interface Sink {
  readonly isTTY?: boolean
  readonly columns?: number
  write(data: string | Uint8Array, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

export interface Output {
  readonly json: boolean
  /** Painter for stdout. */
  readonly paint: Paint
  /** Painter for stderr. */
  readonly paintNote: Paint
  readonly isTerminal: boolean
  readonly notesOnTerminal: boolean
  readonly width: number
  /** Writes text or bytes to stdout unchanged. */
  write(data: string | Uint8Array): void
  /** Prints lines on stdout; nothing with `--json`. */
  lines(lines: readonly string[]): void
  /** Prints the JSON document; nothing without `--json`. */
  document(value: unknown): void
  /** Prints a sentence on stderr. */
  note(sentence: string): void
  /** Prints a progress line on stderr that the next one replaces, on a terminal only. "" clears it. */
  progress(line: string): void
  /** Resolves when all output has left the process. */
  flush(): Promise<void>
}

/** When the reader closes the pipe (`| head`), output stops and the command continues. `json` is true with `--json`. */
export function createOutput(out: Sink, err: Sink, env: NodeJS.ProcessEnv, json: boolean): Output {
  let pending: Promise<void> = Promise.resolve()
  let closed = false
  let onProgressLine = false
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
    closed = true
  }
  out.on('error', onError)
  err.on('error', onError)
  const send = (sink: Sink, data: string | Uint8Array): void => {
    if (sink === out && closed) return
    const sent = new Promise<void>((resolve) => sink.write(data, () => resolve()))
    pending = pending.then(() => sent)
  }
  const clear = (): void => {
    if (!onProgressLine) return
    onProgressLine = false
    send(err, '\r\u001b[K')
  }
  return {
    json,
    paint: painterFor(out.isTTY === true, env),
    paintNote: painterFor(err.isTTY === true, env),
    isTerminal: out.isTTY === true,
    notesOnTerminal: err.isTTY === true,
    width: out.isTTY === true ? (out.columns ?? 80) : 200,
    write: (data) => {
      clear()
      send(out, data)
    },
    lines: (lines) => {
      clear()
      if (!json && lines.length > 0) send(out, `${lines.join('\n')}\n`)
    },
    document: (value) => {
      clear()
      if (json) send(out, `${escapeJson(JSON.stringify(value, null, out.isTTY === true ? 2 : 0))}\n`)
    },
    note: (sentence) => {
      clear()
      send(err, `${sentence}\n`)
    },
    progress: (line) => {
      if (err.isTTY !== true) return
      clear()
      if (line === '') return
      onProgressLine = true
      send(err, `\r${line}`)
    },
    flush: async () => {
      await pending
      // The callback of an empty write runs after all earlier writes, including those of other writers to the stream.
      await Promise.all([out, err].map((sink) => new Promise<void>((resolve) => sink.write('', () => resolve()))))
    }
  }
}
