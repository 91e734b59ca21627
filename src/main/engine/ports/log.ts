/**
 * The program's own log: what it did and what failed, never file contents or prompts. One log per thread; the hosts set
 * where its entries go (host/log-file.ts). By default warnings and errors go to stderr, as a command's messages do.
 */
import { DriftlineError } from '../../../contract/errors.ts'

/** From the most to the least important. */
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

export interface LogEntry {
  readonly level: LogLevel
  readonly message: string
}

export interface Log {
  /** Adds the reason after the message: that of a known error, or the stack of an unexpected one. */
  error(message: string, reason?: unknown): void
  warn(message: string, reason?: unknown): void
  info(message: string): void
  debug(message: string): void
}

type LogSink = (entry: LogEntry) => void

let level: LogLevel = levelNamed(process.env.DRIFTLINE_LOG) ?? 'info'
let sink: LogSink = printEntry

export const log: Log = {
  error: (message, reason) => write('error', message, reason),
  warn: (message, reason) => write('warn', message, reason),
  info: (message) => write('info', message),
  debug: (message) => write('debug', message)
}

/** Sends the entries of this thread elsewhere. Returns a function that restores the former sink. */
export function setLogSink(next: LogSink): () => void {
  const before = sink
  sink = next
  return () => {
    sink = before
  }
}

/** Applies the setting `log.level`; DRIFTLINE_LOG takes precedence, and an unknown name changes nothing. */
export function setLogLevel(name: string | null): void {
  level = levelNamed(process.env.DRIFTLINE_LOG) ?? levelNamed(name) ?? level
}

/** Prints warnings and errors for the person who started the program. */
export function printEntry({ level, message }: LogEntry): void {
  if (level === 'error' || level === 'warn') console.error(`driftline: ${message}`)
}

function write(at: LogLevel, message: string, reason?: unknown): void {
  if (LOG_LEVELS.indexOf(at) > LOG_LEVELS.indexOf(level)) return
  sink({ level: at, message: reason === undefined ? message : `${message}: ${describeReason(reason)}` })
}

/** Errors of our own and of the system (EACCES) explain themselves; any other is a bug, so its stack is needed. */
function describeReason(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason)
  return reason instanceof DriftlineError || 'syscall' in reason ? reason.message : (reason.stack ?? reason.message)
}

function levelNamed(name: string | null | undefined): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === name)
}
