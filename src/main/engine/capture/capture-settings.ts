/** What a person chose about capture: the largest file, what is never kept, and ignored folders that are kept all the same. */
import { DriftlineError } from '../../../contract/errors.ts'
import { checkRelative } from '../files/workspace-fs.ts'

export interface CaptureSettings {
  /** Bytes above which a file is not stored unless a guard needs it. */
  readonly sizeLimit: number
  /** Patterns in git's form; the contents of files they match are not kept. */
  readonly neverStore: readonly string[]
  /** Root-relative folders that are kept although they are ignored. */
  readonly include: readonly string[]
}

export const DEFAULT_CAPTURE_SETTINGS: CaptureSettings = { sizeLimit: 50 * 1024 * 1024, neverStore: [], include: [] }

const LIMIT = 'capture.limit'
const NEVER = 'capture.never'
const INCLUDE = 'capture.include'
const MIN_SIZE_LIMIT = 1024 * 1024
const MAX_SIZE_LIMIT = 100 * 1024 ** 3
const MAX_LINES = 200

/** The choices for one folder. `setting` reads one setting, null when unset. */
export function readCaptureSettings(setting: (key: string) => string | null, workspace: string): CaptureSettings {
  return {
    sizeLimit: sizeOf(setting(LIMIT) ?? '') ?? DEFAULT_CAPTURE_SETTINGS.sizeLimit,
    neverStore: [...linesOf(setting(NEVER) ?? ''), ...linesOf(setting(`${NEVER}/${workspace}`) ?? '')],
    include: linesOf(setting(`${INCLUDE}/${workspace}`) ?? '')
  }
}

/** True when the setting is about capture, for this folder or for all. */
export function isCaptureSetting(key: string, workspace: string): boolean {
  return key === LIMIT || key === NEVER || key === `${NEVER}/${workspace}` || key === `${INCLUDE}/${workspace}`
}

/** Throws Usage when `value` is not allowed for that setting; settings of others are not looked at. "" takes it back. */
export function validateCaptureSetting(key: string, value: string): void {
  if (value === '') return
  const refuse = (rule: string): never => {
    throw new DriftlineError('Usage', `${rule} Nothing was changed.`, { key, value })
  }
  if (key === LIMIT && sizeOf(value) === null) refuse('The largest file is a number of bytes, at least 1 MB.')
  const patterns = key === NEVER || key.startsWith(`${NEVER}/`)
  if (!patterns && !key.startsWith(`${INCLUDE}/`)) return
  const lines = linesOf(value)
  if (lines.length > MAX_LINES) refuse(`At most ${MAX_LINES} lines can be kept.`)
  if (patterns) return
  const wrong = lines.find((line) => checkRelative(line) !== line)
  if (wrong !== undefined) refuse(`"${wrong}" is no folder inside the recorded one.`)
}

function sizeOf(text: string): number | null {
  const size = /^\d{1,15}$/.test(text) ? Number(text) : 0
  return size >= MIN_SIZE_LIMIT && size <= MAX_SIZE_LIMIT ? size : null
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
