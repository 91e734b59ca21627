/** Typed errors: a code, a message that says what failed, what is safe and what to do, and plain data. No I/O. */

export const ERROR_CODES = [
  'Usage',
  'NotAFolder',
  'Refused',
  'RunIsLive',
  'PlanStale',
  'NeedsConfirmation',
  'NotAWorkspace',
  'UnknownTarget',
  'AmbiguousTarget',
  'FolderMissing',
  'FolderUnreadable',
  'PathOutsideWorkspace',
  'NotStored',
  'StoreNewer',
  'StoreDamaged',
  'DiskFull',
  'SecondHost',
  'Disconnected',
  'Cancelled',
  'Bug'
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

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

/** Exit code of the command line: 2 wrong usage, 3 refused, 5 not found, 1 anything else. */
export function exitCodeOf(code: ErrorCode): number {
  switch (code) {
    case 'Usage':
    case 'NotAFolder':
      return 2
    case 'Refused':
    case 'RunIsLive':
    case 'PlanStale':
    case 'NeedsConfirmation':
      return 3
    case 'NotAWorkspace':
    case 'UnknownTarget':
    case 'AmbiguousTarget':
    case 'FolderMissing':
      return 5
    default:
      return 1
  }
}
