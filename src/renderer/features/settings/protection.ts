/** Ignored folders that a person protects, and those they protected once: two settings of one folder. Pure. */

/** Both settings, line by line. */
export interface Protection {
  /** `capture.include`: folders that are kept although they are ignored. */
  readonly include: readonly string[]
  /** `capture.never` of this folder: patterns whose contents are not kept in it. */
  readonly never: readonly string[]
}

export function linesOf(value: string | null): string[] {
  return (value ?? '').split('\n').filter(Boolean)
}

/** The folder is kept from now on. */
export function protect({ include, never }: Protection, folder: string): Protection {
  return {
    include: include.includes(folder) ? include : [...include, folder],
    never: never.filter((line) => line !== patternOf(folder))
  }
}

/** Nothing of the folder is kept any more: without that, what is known of it would go on being kept (LG-5). */
export function unprotect({ include, never }: Protection, folder: string): Protection {
  const pattern = patternOf(folder)
  return {
    include: include.filter((one) => one !== folder),
    never: never.includes(pattern) ? never : [...never, pattern]
  }
}

/** Folders that were protected once, from the patterns made for them. */
export function unprotected({ never }: Protection): string[] {
  return never.flatMap((line) => {
    const folder = line.slice(1, -1).replace(/\\(.)/g, '$1')
    return patternOf(folder) === line ? [folder] : []
  })
}

/** This folder and nothing else, as a line of a .gitignore. */
function patternOf(folder: string): string {
  return `/${folder.replace(/[\\*?[\]!# ]/g, '\\$&')}/`
}
