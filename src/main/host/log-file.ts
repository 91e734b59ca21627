/**
 * The recorder's log file: `logs/recorder.log` in the data folder, and the five files before it (`recorder.log.1`, …).
 */
import { mkdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { createStream } from 'rotating-file-stream'
import { type LogEntry, printEntry, setLogSink } from '../engine/ports/log.ts'
import { logFileOf } from './data-dir.ts'

const MAX_SIZE = '2M'
const KEPT_FILES = 5

export type LogFile = ReturnType<typeof openLogFile>

/**
 * Sends this thread's log to the file of the data folder, and prints warnings and errors as well. A log that cannot be
 * written never stops the recorder.
 */
export function openLogFile(dataDir: string) {
  const path = dirname(logFileOf(dataDir))
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch {
    // EACCES, ENOSPC: the stream reports it below.
  }
  const stream = createStream(basename(logFileOf(dataDir)), { path, size: MAX_SIZE, rotate: KEPT_FILES, mode: 0o600 })
  let failed = false
  stream.on('error', (error: Error) => {
    if (!failed) console.error(`driftline: the log file cannot be written (${error.message})`)
    failed = true
  })
  const write = (entry: LogEntry): void => {
    // Lines after the first belong to a stack; they are indented so that each entry starts with its time.
    const message = entry.message.replaceAll('\n', '\n  ')
    if (!failed) stream.write(`${new Date().toISOString()} ${entry.level.padEnd(5)} ${message}\n`)
  }
  const record = (entry: LogEntry): void => {
    printEntry(entry)
    write(entry)
  }
  const restoreSink = setLogSink(record)
  return {
    /** Writes an entry, and prints it if it is a warning or an error. */
    record,
    /** Writes an error that the caller shows itself. */
    writeError: (error: Error): void => write({ level: 'error', message: error.message }),
    /** Resolves when every entry is in the file. */
    close(): Promise<void> {
      restoreSink()
      return new Promise((resolve) => {
        if (failed || stream.destroyed) resolve()
        else {
          stream.once('close', resolve)
          stream.once('error', () => resolve())
          stream.end()
        }
      })
    }
  }
}
