/** Typed errors: a code, a message that says what failed, what is safe and what to do, and plain data. No I/O. */

/** Every code and the exit code of the command line for it: 2 wrong usage, 3 refused, 5 not found, 1 anything else. */
const EXIT_CODES = {
  Usage: 2,
  NotAFolder: 2,
  Refused: 3,
  RunIsLive: 3,
  PlanStale: 3,
  NeedsConfirmation: 3,
  NotAWorkspace: 5,
  UnknownTarget: 5,
  AmbiguousTarget: 5,
  FolderMissing: 5,
  FolderUnreadable: 1,
  PathOutsideWorkspace: 1,
  NotStored: 1,
  StoreNewer: 1,
  StoreDamaged: 1,
  HistoryLost: 1,
  DiskFull: 1,
  SecondHost: 1,
  NoAnswer: 1,
  Disconnected: 1,
  HostUnreachable: 1,
  Cancelled: 1,
  Bug: 1
} as const
export type ErrorCode = keyof typeof EXIT_CODES
export const ERROR_CODES = Object.keys(EXIT_CODES) as ErrorCode[]

export interface ErrorShape {
  readonly code: ErrorCode
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The only error class that crosses the contract. Anything else thrown becomes `Bug`. */
export class DriftlineError extends Error {
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>>
  constructor(code: ErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'DriftlineError'
    this.code = code
    this.data = data
  }
}

/** The wire form of any thrown value. Unknown values become `Bug` and keep their message and stack. */
export function toErrorShape(error: unknown): ErrorShape {
  if (error instanceof DriftlineError) return { code: error.code, message: error.message, data: error.data }
  const message = error instanceof Error ? error.message : String(error)
  return {
    code: 'Bug',
    message: `Internal error in Driftline: ${message}. Nothing recorded was lost.`,
    data: error instanceof Error && error.stack ? { stack: error.stack } : {}
  }
}

/** A code that this version does not know comes from a newer host. */
export function exitCodeOf(code: ErrorCode): number {
  return EXIT_CODES[code] ?? 1
}
