/**
 * Which repositories of subfolders are kept: those that scans, the watch and submodules find, up to a bound while they are there,
 * and the newest of those that are lost.
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { isWithinAny, parentOf } from '../files/paths.ts'
import { FOUND_REPOSITORIES, readMeta, readPathList, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'
import type { Submodules } from './submodules.ts'

export interface RepositoryListOptions {
  /** The recorded folder. */
  readonly root: string
  readonly store: Store
  /** Whether repositories are kept. */
  isOn(): boolean
  /** Folders inside with a history of their own. */
  readonly boundaries: ReadonlySet<string>
}

export type RepositoryList = ReturnType<typeof createRepositoryList>

/** Repositories that are kept: each costs some watches, and some stats at each position. */
const MOST_BELOW = 100
/** Lost ones that are listed and restored beside them. */
const MOST_LOST = 100
/** Key of the history: paths of the subfolders, lost ones first, those lost last at their end, then those that are there. */
const KEPT = 'kept_repositories'

export function createRepositoryList(options: RepositoryListOptions, submodules: Pick<Submodules, 'paths'>) {
  const { store, boundaries } = options
  const kept = (): string[] => readPathList(store, KEPT)
  const change = (by: (kept: readonly string[]) => readonly string[]): void =>
    transact(store, (tx) => writeMeta(tx, KEPT, JSON.stringify(by(readPathList(tx, KEPT)))))
  return {
    /** The paths of `.git` that were found. */
    found: (): string[] => readPathList(store, FOUND_REPOSITORIES),
    /** Those of which something is kept, also where that is neither captured nor listed any more. */
    kept,
    /** Another text once `choose` may choose others, unless submodules came or went. */
    stamp: (): string =>
      [readMeta(store, FOUND_REPOSITORIES), readMeta(store, KEPT), ...boundaries, options.isOn()].join('\n'),
    /** The paths of those to be kept now, sorted. */
    choose: (): string[] => {
      const before = kept()
      const unlinked = submodules.paths()
      const found = options.isOn() ? [...readPathList(store, FOUND_REPOSITORIES).map(parentOf), ...unlinked] : []
      const { there, lost } = chooseBelow(options, before, found, new Set(unlinked))
      const inOrder = [...before.filter((path) => !there.has(path)), ...there]
      if (JSON.stringify(inOrder) !== JSON.stringify(before)) change(() => inOrder)
      return [...new Set([...there, ...lost])].sort()
    },
    /** Nothing is kept of it any more. */
    remove: (path: string): void => change((paths) => paths.filter((each) => each !== path))
  }
}

/** Those that are there, up to their bound, and the newest of those that are lost. */
function chooseBelow(
  { root, boundaries }: RepositoryListOptions,
  kept: readonly string[],
  found: readonly string[],
  unlinked: ReadonlySet<string>
): { readonly there: ReadonlySet<string>; readonly lost: ReadonlySet<string> } {
  const isOwn = (path: string): boolean => !isWithinAny(path, boundaries)
  const isThere = (path: string): boolean =>
    unlinked.has(path) || ifReadable(() => lstatSync(join(root, path, '.git'), { throwIfNoEntry: false })) != null
  const ownKept = kept.filter(isOwn)
  const { present = [], absent = [] } = Object.groupBy(ownKept, (path) => (isThere(path) ? 'present' : 'absent'))
  const there = new Set(present.slice(0, MOST_BELOW))
  for (const path of found) {
    if (there.size >= MOST_BELOW) break
    if (isOwn(path) && isThere(path)) there.add(path)
  }
  return { there, lost: new Set(absent.slice(-MOST_LOST)) }
}
