/** Reading the codes of file system errors in one place. */

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Nothing is at that path: not there, or a parent is not a directory. */
export function isAbsence(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** The path is there and we may not look: permissions, a link loop, an I/O error. Its state is unknown, never absent. */
export function isUnreadable(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ELOOP', 'EIO', 'EBUSY', 'ENAMETOOLONG', 'ENXIO', 'ESTALE', 'EOVERFLOW'].includes(
    errorCode(error)
  )
}
