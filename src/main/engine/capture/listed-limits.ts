/** How much is stored of the files of an initial snapshot. Whoever listed a folder knows which of them git ignores. */
import { nameOf, parentOf } from '../files/paths.ts'
import { type Limit, type LimitRules, limitOf } from './ignore-rules.ts'
import type { ListedFolder } from './listed-folders.ts'

/** `rules`: judges what is in other folders. */
export function createListedLimits(rules: LimitRules) {
  const ignoredIn = new Map<string, ReadonlySet<string>>()
  const listed: LimitRules = {
    ignoresFile: (path) => ignoredIn.get(parentOf(path))?.has(nameOf(path)) ?? rules.ignoresFile(path),
    get sizeLimit() {
      return rules.sizeLimit
    },
    neverStores: rules.neverStores
  }
  return {
    note: ({ path, ignored }: ListedFolder): void =>
      void ignoredIn.set(path, ignored.length > 0 ? new Set(ignored) : NONE),
    limitOf: (path: string): Limit => limitOf(listed, path)
  }
}

const NONE: ReadonlySet<string> = new Set()
