/** Classifies file system errors: absent, unreadable, or neither. */

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The path does not exist, or a parent is not a directory. */
export function isNotFound(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/**
 * The path may exist but cannot be read: permissions, a link loop, an I/O error, an unreachable disk. Its version is
 * unknown, never absent.
 */
export function isUnreadable(error: unknown): boolean {
  const code = errorCode(error)
  // libuv has no names for some errors of a faulty disk (EUCLEAN, EBADMSG).
  return UNREADABLE.has(code) || code.startsWith('Unknown system error')
}

/** The result of `use`; null when its path is absent. */
export function ifExists<T>(use: () => T): T | null {
  try {
    return use()
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** The result of `read`; null when its path is absent or cannot be read. */
export function ifReadable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return null
    throw error
  }
}

/** Runs `work`; false when it failed with a file system error. */
export function ignoreFsErrors(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (errorCode(error) === '') throw error
    return false
  }
}

/** The disk has no symbolic links, or this account may not create any (Windows). */
export function isWithoutLinks(error: unknown): boolean {
  return ['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'].includes(errorCode(error))
}

const UNREADABLE = new Set([
  ...['EACCES', 'EPERM', 'ELOOP', 'EIO', 'EBUSY', 'ENAMETOOLONG', 'ENXIO', 'EOVERFLOW'],
  ...['ESTALE', 'ENOTCONN', 'ENODEV', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT', 'EREMOTEIO']
])
