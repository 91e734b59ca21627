/**
 * Where a disk takes several spellings of a name for one (macOS, Windows, exFAT), a path is there only under the spelling its
 * folder lists: else one file would answer to two paths, and deleting one of them would delete both.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { isUnreadable } from '../ports/fs-errors.ts'
import { lstatSignature } from './signature.ts'

/**
 * Disks (device numbers) that were seen to do so. Asking again could deceive: through FUSE the system remembers for a second
 * under which spellings a file was found. A number that is given to another disk later only costs a listing.
 */
const foldingDisks = new Set<number>()

export interface Spelling {
  /** Whether `name`, under which something was just found in this folder, is how the folder spells it. */
  isExact(name: string): boolean
  /** The listed name that stands where `name` would go, when only its spelling differs. */
  findOther(name: string): string | null
}

/** Remembers what it learned about one folder; `absolute` is the folder's own path. */
export function createSpelling(absolute: string): Spelling {
  /** null = not known yet. */
  let folds: boolean | null = null
  let names: ReadonlySet<string> | null = null
  const list = (): ReadonlySet<string> => {
    names = new Set(readdirSync(absolute))
    return names
  }
  return {
    isExact: (name) => {
      if (folds === null) {
        const others = respellings(name)
        // A name that can be spelled in one way only tells nothing about the folder.
        if (others.length === 0) return true
        folds = isOnFoldingDisk(absolute) || others.some((other) => exists(`${absolute}/${other}`))
      }
      if (!folds) return true
      try {
        // What is not in a list of a moment ago may have come since.
        const exact = names?.has(name) === true || list().has(name)
        if (!exact) foldingDisks.add(lstatSync(absolute).dev)
        return exact
      } catch (error) {
        // A folder that may be entered and not listed: nobody knows the names in it.
        if (isUnreadable(error)) return true
        throw error
      }
    },
    findOther: (name) => {
      const folded = foldName(name)
      return [...list()].find((one) => one !== name && foldName(one) === folded) ?? null
    }
  }
}

/** Names that are one on a disk that looks neither at case nor at how a letter is composed. Only the disk itself knows for sure. */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase()
}

/** Whether the disk of this folder does so, as far as the names in it tell. */
export function foldsNames(absolute: string): boolean {
  try {
    const names = new Set(readdirSync(absolute))
    return [...names].some((name) => respellings(name).some((way) => !names.has(way) && exists(`${absolute}/${way}`)))
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  }
}

/** Enough other ways to write a name to find out: one in another case, and one composed otherwise. */
function respellings(name: string): string[] {
  const upper = name.toUpperCase()
  const other = upper === name ? name.toLowerCase() : upper
  const ways = /^[\0-\x7f]*$/.test(name) ? [other] : [other, name.normalize('NFC'), name.normalize('NFD')]
  return ways.filter((way) => way !== name)
}

function isOnFoldingDisk(absolute: string): boolean {
  return foldingDisks.size > 0 && foldingDisks.has(lstatSync(absolute).dev)
}

/** Not compared with what was found: a disk without inode numbers makes one up for each spelling, and remembers a stat for each. */
function exists(absolute: string): boolean {
  try {
    return lstatSignature(absolute) !== null
  } catch (error) {
    if (isUnreadable(error)) return true
    throw error
  }
}
