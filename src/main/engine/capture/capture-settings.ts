/**
 * A person's settings for capture: the size limit, excluded files, and ignored folders that are covered nevertheless.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { checkRelative } from '../files/paths.ts'

export interface CaptureSettings {
  /** Bytes above which a file is not stored unless a guard needs it. */
  readonly sizeLimit: number
  /** Patterns as in .gitignore; the content of matching files is not stored. */
  readonly neverStore: readonly string[]
  /** Root-relative folders that are covered although they are ignored. */
  readonly include: readonly string[]
}

export const DEFAULT_CAPTURE_SETTINGS: CaptureSettings = { sizeLimit: 50 * 1024 * 1024, neverStore: [], include: [] }

const LIMIT = 'capture.limit'
const NEVER = 'capture.never'
const INCLUDE = 'capture.include'
const MIN_SIZE_LIMIT = 1024 * 1024
const MAX_SIZE_LIMIT = 100 * 1024 ** 3
const MAX_LINES = 200

/** The settings for one workspace. `setting` reads one setting, null when unset. */
export function readCaptureSettings(setting: (key: string) => string | null, workspace: string): CaptureSettings {
  return {
    sizeLimit: sizeOf(setting(LIMIT) ?? '') ?? DEFAULT_CAPTURE_SETTINGS.sizeLimit,
    neverStore: [...linesOf(setting(NEVER) ?? ''), ...linesOf(setting(`${NEVER}/${workspace}`) ?? '')],
    include: linesOf(setting(`${INCLUDE}/${workspace}`) ?? '')
  }
}

/** True for a capture setting of this workspace or of all. */
export function isCaptureSetting(key: string, workspace: string): boolean {
  return key === LIMIT || key === NEVER || key === `${NEVER}/${workspace}` || key === `${INCLUDE}/${workspace}`
}

/** Throws Usage if `value` is not valid for a capture setting; other keys are ignored. "" resets the setting. */
export function validateCaptureSetting(key: string, value: string): void {
  if (value === '') return
  const refuse = (rule: string): never => {
    throw new DriftlineError('Usage', `${rule} Nothing was changed.`, { key, value })
  }
  if (key === LIMIT && sizeOf(value) === null) refuse('The size limit must be a number of bytes, at least 1 MB.')
  const patterns = key === NEVER || key.startsWith(`${NEVER}/`)
  if (!patterns && !key.startsWith(`${INCLUDE}/`)) return
  const lines = linesOf(value)
  if (lines.length > MAX_LINES) refuse(`At most ${MAX_LINES} lines are allowed.`)
  if (patterns) return
  const invalid = lines.find((line) => checkRelative(line) !== line)
  if (invalid !== undefined) refuse(`"${invalid}" is not a folder inside the recorded folder.`)
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
