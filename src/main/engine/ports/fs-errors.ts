/** Reading the codes of file system errors in one place. */

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Nothing is at that path: not there, or a parent is not a directory. */
export function isNotFound(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** The path may be there and we cannot look: permissions, a link loop, an I/O error, a disk out of reach. Its state is unknown, never absent. */
export function isUnreadable(error: unknown): boolean {
  const code = errorCode(error)
  // Some codes of a disk that is out of order have no name (EUCLEAN, EBADMSG).
  return UNREADABLE.has(code) || code.startsWith('Unknown system error')
}

const UNREADABLE = new Set([
  ...['EACCES', 'EPERM', 'ELOOP', 'EIO', 'EBUSY', 'ENAMETOOLONG', 'ENXIO', 'EOVERFLOW'],
  ...['ESTALE', 'ENOTCONN', 'ENODEV', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT', 'EREMOTEIO']
])
