/** Protected ignored folders and formerly protected ones, stored in two settings of a workspace. Pure. */

/** Both settings as lines. */
export interface Protection {
  /** `capture.include`: ignored folders that are stored. */
  readonly include: readonly string[]
  /** `capture.never` of this workspace: patterns of files that are not stored. */
  readonly never: readonly string[]
}

export function linesOf(value: string | null): string[] {
  return (value ?? '').split('\n').filter(Boolean)
}

/** Stores the folder from now on. */
export function protect({ include, never }: Protection, folder: string): Protection {
  return {
    include: include.includes(folder) ? include : [...include, folder],
    never: never.filter((line) => line !== patternOf(folder))
  }
}

/**
 * Stops storing the folder. The exclude pattern is required: paths already in the log would otherwise still be stored
 * (LG-5).
 */
export function unprotect({ include, never }: Protection, folder: string): Protection {
  const pattern = patternOf(folder)
  return {
    include: include.filter((path) => path !== folder),
    never: never.includes(pattern) ? never : [...never, pattern]
  }
}

/** Formerly protected folders, derived from their exclude patterns. */
export function unprotected({ never }: Protection): string[] {
  return never.flatMap((line) => {
    const folder = line.slice(1, -1).replace(/\\(.)/g, '$1')
    return patternOf(folder) === line ? [folder] : []
  })
}

/** A .gitignore line that matches only this folder. */
function patternOf(folder: string): string {
  return `/${folder.replace(/[\\*?[\]!# ]/g, '\\$&')}/`
}
