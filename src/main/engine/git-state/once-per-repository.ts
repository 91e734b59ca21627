/**
 * [GT-13] A submodule whose folder was moved (`git mv`) has kept states at the former folder, too: what both folders name of the
 * same repository counts once, by the folder where it is checked out.
 */
import type { GitKeeper } from './git-keeper.ts'

type Folder = Pick<GitKeeper, 'target' | 'isLinked'>

/** In their order. `nameOf`: what the same item has in common at both folders. */
export function oncePerRepository<T extends { readonly keeper: Folder }>(
  items: readonly T[],
  nameOf: (item: T) => string
): T[] {
  const groups = Map.groupBy(new Set(items.map(({ keeper }) => keeper)), (keeper) => keeper.target())
  if ([...groups.values()].every((folders) => folders.length === 1)) return [...items]
  const targets = new Map(
    [...groups].flatMap(([target, folders]) => folders.map((folder) => [folder, target] as const))
  )
  const keyOf = (item: T): string => `${targets.get(item.keeper)}\0${nameOf(item)}`
  // Of two that are not checked out, the one that was found later.
  const best = new Map<string, T>()
  for (const item of items) {
    const former = best.get(keyOf(item))
    if (!former || item.keeper.isLinked() || !former.keeper.isLinked()) best.set(keyOf(item), item)
  }
  const chosen = new Set(best.values())
  return items.filter((item) => chosen.has(item))
}
