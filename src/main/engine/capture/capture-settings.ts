/**
 * A person's settings for capture: the size limit, excluded files, and ignored folders that are covered nevertheless.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { accepts, linesOf, SETTINGS } from '../../../contract/settings.ts'
import { checkRelative } from '../files/paths.ts'

export interface CaptureSettings {
  /** Bytes above which a file is not stored unless a guard needs it. */
  readonly sizeLimit: number
  /** Patterns as in .gitignore; the content of matching files is not stored. */
  readonly neverStore: readonly string[]
  /** Root-relative folders that are covered although they are ignored. */
  readonly include: readonly string[]
}

const LIMIT = 'capture.limit'
const NEVER = 'capture.never'
const INCLUDE = 'capture.include'

export const DEFAULT_CAPTURE_SETTINGS: CaptureSettings = {
  sizeLimit: Number(SETTINGS[LIMIT].initial),
  neverStore: [],
  include: []
}

/** The settings for one workspace. `setting` reads one setting, null when unset. */
export function readCaptureSettings(setting: (key: string) => string | null, workspace: string): CaptureSettings {
  const limit = setting(LIMIT) ?? ''
  return {
    sizeLimit: accepts(LIMIT, limit) && limit !== '' ? Number(limit) : DEFAULT_CAPTURE_SETTINGS.sizeLimit,
    neverStore: [...linesOf(setting(NEVER) ?? ''), ...linesOf(setting(`${NEVER}/${workspace}`) ?? '')],
    include: linesOf(setting(`${INCLUDE}/${workspace}`) ?? '')
  }
}

/** True for a capture setting of this workspace or of all. */
export function isCaptureSetting(key: string, workspace: string): boolean {
  return key === LIMIT || key === NEVER || key === `${NEVER}/${workspace}` || key === `${INCLUDE}/${workspace}`
}

/** Throws Usage if a folder to include is not a path inside the recorded folder. */
export function checkIncludedFolders(key: string, value: string): void {
  if (!key.startsWith(`${INCLUDE}/`)) return
  const invalid = linesOf(value).find((line) => checkRelative(line) !== line)
  if (invalid === undefined) return
  const message = `"${invalid}" is not a folder inside the recorded folder. Nothing was changed.`
  throw new DriftlineError('Usage', message, { key, value })
}
