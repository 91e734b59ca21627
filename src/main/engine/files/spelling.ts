/**
 * Spellings of names on disks that fold case or Unicode composition (macOS, Windows, exFAT). Invariant: a path exists
 * only in the spelling that its folder lists; otherwise two paths would be one file, and deleting one would delete
 * both. And names that have no spelling as a string.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { isUnreadable } from './fs-errors.ts'
import { lstatSignature } from './signature.ts'

/**
 * Device numbers of disks known to fold names. Kept, because testing again can fail: FUSE caches for a second under
 * which spellings a file was found. A number that is reused for another disk costs only a listing.
 */
const foldingDisks = new Set<number>()

export type Spelling = ReturnType<typeof createSpelling>

/** Caches the listing of one folder; `absolute` is its path. */
export function createSpelling(absolute: string) {
  /** null = unknown. */
  let folds: boolean | null = null
  let names: ReadonlySet<string> | null = null
  const list = (): ReadonlySet<string> => {
    names = new Set(readdirSync(absolute))
    return names
  }
  return {
    /** Whether `name`, which was just found in this folder, is the spelling that the folder lists. */
    isExact: (name: string): boolean => {
      if (folds === null) {
        const spellings = respellings(name)
        // A name with a single spelling (digits) says nothing about the disk.
        if (spellings.length === 0) return true
        folds = isOnFoldingDisk(absolute) || spellings.some((spelling) => exists(`${absolute}/${spelling}`))
      }
      if (!folds) return true
      try {
        // A name that is not in the cached listing may be newer than that.
        const exact = names?.has(name) === true || list().has(name)
        if (!exact) foldingDisks.add(lstatSync(absolute).dev)
        return exact
      } catch (error) {
        // A folder with permission to enter but not to list: its spellings are unknown.
        if (isUnreadable(error)) return true
        throw error
      }
    },
    /** The listed name that differs from `name` only in spelling; null if there is none. */
    findOther: (name: string): string | null => {
      const folded = foldName(name)
      return [...list()].find((listed) => listed !== name && foldName(listed) === folded) ?? null
    }
  }
}

/**
 * Equal results: the names may be one on a folding disk. An approximation, because each file system has its own tables.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase()
}

/** Whether the disk of this folder folds names, as far as its names show. */
export function foldsNames(absolute: string): boolean {
  try {
    const names = new Set(readdirSync(absolute))
    return [...names].some((name) =>
      respellings(name).some((spelling) => !names.has(spelling) && exists(`${absolute}/${spelling}`))
    )
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  }
}

/**
 * Other spellings that reveal a folding disk: one in another case, and for non-ASCII names the composed and decomposed
 * form.
 */
function respellings(name: string): string[] {
  const upper = name.toUpperCase()
  const recased = upper === name ? name.toLowerCase() : upper
  const spellings = /^[\0-\x7f]*$/.test(name) ? [recased] : [recased, name.normalize('NFC'), name.normalize('NFD')]
  return spellings.filter((spelling) => spelling !== name)
}

function isOnFoldingDisk(absolute: string): boolean {
  return foldingDisks.size > 0 && foldingDisks.has(lstatSync(absolute).dev)
}

/** Only existence counts: a disk without inode numbers invents one per spelling, so stats of one file differ. */
function exists(absolute: string): boolean {
  try {
    return lstatSignature(absolute) !== null
  } catch (error) {
    if (isUnreadable(error)) return true
    throw error
  }
}

/**
 * Whether `name`, as readdir returned it, is exactly the name on disk. A path string cannot hold names that are not
 * valid UTF-8, so they cannot be restored. Node decodes invalid bytes as U+FFFD, which can also be part of a valid
 * name, so such names are compared as bytes.
 */
export function isLosslessName(folder: string, name: string): boolean {
  if (!name.includes('\ufffd')) return true
  const raw = Buffer.from(name, 'utf8')
  return readdirSync(folder, { encoding: 'buffer' }).some((listed) => listed.equals(raw))
}
