/** What a command may print: one JSON document or text on stdout, sentences and progress on stderr. */
import { escapeJson } from './escape.ts'
import { type Paint, painterFor } from './paint.ts'

/** The part of a stream that is used here; process.stdout is one. */
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
  /** Text or bytes on stdout, exactly as given. */
  write(data: string | Uint8Array): void
  /** Lines of text on stdout, for people only: nothing with `--json`. */
  lines(lines: readonly string[]): void
  /** The one JSON document of a command: nothing without `--json`. */
  document(value: unknown): void
  /** A sentence on stderr. */
  note(sentence: string): void
  /** A progress line on stderr that the next one overwrites; only on a terminal. "" clears it. */
  progress(line: string): void
  /** Resolves when everything written has left the process. */
  flush(): Promise<void>
}

/** `json` = `--json` was given. A reader that went away (`| head`) ends the writing, not the command. */
export function createOutput(out: Sink, err: Sink, env: NodeJS.ProcessEnv, json: boolean): Output {
  let pending: Promise<void> = Promise.resolve()
  let closed = false
  let onProgressLine = false
  const gone = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
    closed = true
  }
  out.on('error', gone)
  err.on('error', gone)
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
      // An empty write is answered after everything before it, other writers' lines included.
      await Promise.all([out, err].map((sink) => new Promise<void>((resolve) => sink.write('', () => resolve()))))
    }
  }
}
