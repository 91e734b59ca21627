/** Which files git writes through a filter (gitattributes(5)): their blob does not decide their bytes, as with a date. */
import { join } from 'node:path'
import ignore from 'ignore'
import { childOf, parentOf } from '../files/paths.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import type { GitFolder } from './git-folder.ts'
import { ATTRIBUTES } from './git-index.ts'

/** Git ignores a larger file of attributes, too. */
const MAX_BYTES = 100 * 1024 * 1024

/** Whether the attributes of one folder filter a file below it. */
type Filter = (path: string) => boolean

/**
 * Tells whether a filter may write a file of the working tree at `root`. True for too many where attributes override
 * others, or have a quoted pattern or a name of their own. Reads the attributes of each folder once. `mayHave`: whether a file
 * with attributes may be at a path.
 */
export function createFilteredFiles(git: GitFolder, root: string, mayHave: (path: string) => boolean): Filter {
  const known = new Map<string, readonly Filter[]>()
  const filtersIn = (folder: string): readonly Filter[] => {
    const before = known.get(folder)
    if (before) return before
    const above = folder === '' ? readFilters(join(git.commonDir, 'info/attributes'), '') : filtersIn(parentOf(folder))
    const path = childOf(folder, ATTRIBUTES)
    const all = mayHave(path) ? [...above, ...readFilters(join(root, path), folder)] : above
    known.set(folder, all)
    return all
  }
  return (path) => filtersIn(parentOf(path)).some((filters) => filters(path))
}

/** One, or none. */
function readFilters(file: string, folder: string): Filter[] {
  const lines = readSmallFile(file, MAX_BYTES)?.toString('utf8').split(/\r?\n/) ?? []
  const patterns = lines.flatMap((line) => {
    const [pattern = '', ...attributes] = line.trim().split(/[ \t]+/)
    if (pattern.startsWith('#') || pattern.startsWith('!') || !attributes.some(isFilter)) return []
    return /^("|\[attr\])/.test(pattern) ? ['*'] : [pattern]
  })
  if (patterns.length === 0) return []
  const matcher = ignore().add(patterns)
  const drop = folder === '' ? 0 : folder.length + 1
  return [(path) => matcher.ignores(path.slice(drop))]
}

/** Git LFS gives one blob the same bytes each time. */
function isFilter(attribute: string): boolean {
  return attribute === 'ident' || (attribute.startsWith('filter=') && attribute !== 'filter=lfs')
}
