/**
 * The files selected in the list of changed files, to act on several at once. Fewer than two are no selection: then the
 * file in the diff is the one that is acted on.
 */
import { useMemo, useRef, useState } from 'react'
import { comparisonKey } from '../../state/comparison.ts'
import { useWorkspaceState } from '../../state/open-workspace.tsx'
import { NO_FILES, NO_PATHS } from '../../state/store.ts'
import { pathsBetween, pathsOf, type Row } from './file-rows.ts'

/** How a row is added to the selection: alone, as the end of a range, or by switching it on or off. */
export type SelectHow = 'alone' | 'range' | 'toggle'

export type SelectedFiles = ReturnType<typeof useSelectedFiles>

export function useSelectedFiles(rows: readonly Row[]) {
  const scope = useWorkspaceState(({ query }) => (query ? comparisonKey(query) : ''))
  const current = useWorkspaceState(({ file }) => file?.path ?? null)
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  const [chosen, setChosen] = useState({ scope, paths: NO_PATHS })
  /** Id of the row where a range begins. */
  const anchor = useRef<string | null>(null)
  const paths = useMemo(() => {
    const still = chosen.scope === scope ? files.filter(({ path }) => chosen.paths.has(path)) : []
    return still.length > 1 ? new Set(still.map(({ path }) => path)) : NO_PATHS
  }, [chosen, scope, files])
  const choose = (next: Iterable<string>) => setChosen({ scope, paths: new Set(next) })
  return {
    paths,
    select: (row: Row, how: SelectHow) => {
      if (how === 'range') return choose(pathsBetween(rows, anchor.current ?? current, row.id))
      anchor.current = row.id
      if (how === 'alone') return choose([])
      const next = new Set(paths.size > 0 || current === null ? paths : [current])
      const isOn = pathsOf(row).every((path) => next.has(path))
      for (const path of pathsOf(row)) {
        if (isOn) next.delete(path)
        else next.add(path)
      }
      choose(next)
    },
    selectAll: () => choose(rows.flatMap(pathsOf)),
    clear: () => choose([]),
    /** What an act on a row is about: the selection if the row is in it, else the files of the row. */
    actedOn: (row: Row): readonly string[] => {
      const own = pathsOf(row)
      return paths.size > 0 && own.every((path) => paths.has(path)) ? [...paths] : own
    }
  }
}
