/** Why a command could not write what it exports. */
import { DriftlineError } from '../../contract/errors.ts'
import { errorCode } from '../engine/files/fs-errors.ts'

/** The error to report; `error` itself where it is not one of the disk. */
export function exportFailure(error: unknown, kind: 'file' | 'folder', path: string): unknown {
  const code = errorCode(error)
  if (error instanceof DriftlineError || code === '') return error
  const data = kind === 'file' ? { path } : { folder: path }
  if (code === 'EEXIST') {
    const message = `${path} already exists and was not changed. Name another ${kind} with -o.`
    return new DriftlineError('Refused', message, data)
  }
  if (code === 'ENOSPC') {
    const effect = kind === 'file' ? `. Couldn’t write ${path}` : `, so ${path} is incomplete`
    return new DriftlineError('DiskFull', `The disk is full${effect}. The history is safe.`, data)
  }
  if (kind === 'folder') return error
  const message = `Couldn’t write ${path} (${code}). The history is safe. Name another file with -o.`
  return new DriftlineError('Usage', message, data)
}
