/** The blame view: the newest recorded text of a file with a column that names who wrote each line. */
import { type LiHTMLAttributes, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import { blameRestText } from '../../../contract/words/versions.ts'
import { useQuery } from '../../client/use-query.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { usePreferences } from '../../state/preferences.tsx'
import { AgentTile } from '../../ui/agent.tsx'
import { Blank } from '../../ui/blank.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useListKeys } from '../../ui/use-list-keys.ts'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { type BlameRow, blameRows, blockAt, blockLabel } from './blame-rows.ts'
import type { LineSearch } from './line-search.tsx'

interface BlameViewProps {
  readonly path: string
  /** The file looks like it holds credentials; its text is not shown. */
  readonly secret: boolean
  /** Versions by seq. */
  readonly versions: ReadonlyMap<number, PathVersion>
  /** Seq of the version whose lines are highlighted. */
  readonly marked: number | null
  readonly search: LineSearch
  /** A block was selected: the rows, the index of one of its rows, and its place on screen. */
  readonly onSelectBlock: (rows: readonly BlameRow[], index: number, anchor: DOMRect) => void
}

export function BlameView(props: BlameViewProps) {
  const { path, secret, versions } = props
  const list = useRef<VirtualListHandle>(null)
  const { data, error } = useQuery('file.blame', { workspace: useOpenWorkspace().workspace.id, path })
  const rows = useMemo(() => (data ? blameRows(data.lines, Date.now()) : null), [data])
  const { currentMatch, isMatch } = useMatches(rows, props.search, list)
  const selectBlock = (index: number) => {
    if (!rows) return
    const row = list.current?.element?.querySelector(`[data-index="${firstOf(rows, index)}"] .w`)
    if (row) props.onSelectBlock(rows, index, row.getBoundingClientRect())
  }
  const { at, setFocused, onKeyDown } = useBlockKeys(rows, list, selectBlock)

  if (error || secret) return <NoLines secret={secret} reason={error?.message ?? ''} />
  if (!rows) return <div className="loadbar late" role="progressbar" aria-label="Loading" />
  if (rows.length === 0) return <Blank title="The file is empty." />

  return (
    <>
      {data?.next ? <p className="blame-rest">{blameRestText(data.next - 1, data.total)}</p> : null}
      <VirtualList
        ref={list}
        label={`${path}, who wrote each line`}
        className="blame-list"
        items={rows}
        keyOf={(row) => String(row.n)}
        heightOf={() => 20}
        alwaysRendered={[at]}
        onKeyDown={onKeyDown}
        renderRow={(row, index) => (
          <BlameLine
            row={row}
            version={versions.get(row.seq)}
            label={row.first ? blockLabel(blockAt(rows, index)) : null}
            state={[row.seq === props.marked && 'marked', index === currentMatch ? 'at' : isMatch(index) && 'hit']}
            {...(row.first ? { 'data-index': index, tabIndex: index === at ? 0 : -1 } : {})}
            onFocus={() => setFocused(index)}
            onClick={(event) => {
              if ((event.target as Element).closest('.w')) selectBlock(index)
            }}
          />
        )}
      />
    </>
  )
}

/** A file that is no text, not stored or absent has no lines: the reason is shown instead. */
function NoLines({ secret, reason }: { readonly secret: boolean; readonly reason: string }) {
  if (secret) return <Blank icon="lock" title="Looks like secrets. The lines are not shown." alert />
  return (
    <Blank icon="none" title="No line history for this file." alert>
      <p>{reason}</p>
    </Blank>
  )
}

/** Arrow keys move between blocks, the lines of one version; Enter and Space select the block at `at`. */
function useBlockKeys(
  rows: readonly BlameRow[] | null,
  list: RefObject<VirtualListHandle | null>,
  selectBlock: (index: number) => void
) {
  const { letterKeys } = usePreferences()
  const [focused, setFocused] = useState(0)
  const blockStarts = useMemo(() => rows?.flatMap(({ first }, index) => (first ? [index] : [])) ?? [], [rows])
  const at = blockStarts.includes(focused) ? focused : 0
  const onKeyDown = useListKeys({
    list: { length: rows?.length ?? 0, canFocus: (index) => rows?.[index]?.first === true },
    at,
    letters: letterKeys,
    onMove: (to) => {
      setFocused(to)
      list.current?.focusRow(to)
    },
    onKey: ({ key, metaKey, ctrlKey, altKey }) => {
      if (metaKey || ctrlKey || altKey || (key !== 'Enter' && key !== ' ')) return false
      selectBlock(at)
      return true
    }
  })
  return { at, setFocused, onKeyDown }
}

/** The lines that the search matches; the current one is scrolled into view. */
function useMatches(
  rows: readonly BlameRow[] | null,
  { text: searched, matchIndex, setMatches }: LineSearch,
  list: RefObject<VirtualListHandle | null>
) {
  const matches = useMemo(() => {
    const needle = searched.toLowerCase()
    if (needle === '' || !rows) return []
    return rows.flatMap(({ text }, index) => (text.toLowerCase().includes(needle) ? [index] : []))
  }, [rows, searched])
  useEffect(() => setMatches(matches.length), [matches, setMatches])
  const currentMatch = matchIndex === null ? -1 : (matches[matchIndex] ?? -1)
  useEffect(() => {
    if (currentMatch >= 0) list.current?.reveal(currentMatch)
  }, [currentMatch, list])
  return { currentMatch, isMatch: (index: number) => searched !== '' && matches.includes(index) }
}

interface BlameLineProps extends Pick<LiHTMLAttributes<HTMLLIElement>, 'tabIndex' | 'onFocus' | 'onClick'> {
  readonly row: BlameRow
  readonly version: PathVersion | undefined
  /** The block that starts here, for screen readers; null inside a block. */
  readonly label: string | null
  readonly state: readonly (string | false)[]
}

function BlameLine({ row, version, label, state, ...rest }: BlameLineProps) {
  return (
    <li className={['bl', ...state].filter(Boolean).join(' ')} {...rest} onKeyDown={() => {}}>
      <span className={row.outside ? 'w outside' : 'w'}>
        <i className={`age age-${row.age}`} />
        {label === null ? null : (
          <>
            <AuthorMark row={row} version={version} />
            <span className="ell grow">{row.author}</span>
            <span className="num bl-when">{row.when}</span>
            <span className="sr">, {label}: </span>
          </>
        )}
      </span>
      <span className="bl-n num">{row.n}</span>
      <code>{row.text}</code>
    </li>
  )
}

/** The first row of a row's block. */
function firstOf(rows: readonly BlameRow[], index: number): number {
  let at = index
  while (at > 0 && !rows[at]?.first) at--
  return at
}

function AuthorMark({ row, version }: { readonly row: BlameRow; readonly version: PathVersion | undefined }) {
  if (!version?.agent && !row.outside) return null
  return (
    <span className="bl-mark">
      {version?.agent ? (
        <AgentTile size="xs" agent={version.agent} />
      ) : (
        <span className="who" data-size="xs">
          <Icon name="person" size="s" />
        </span>
      )}
    </span>
  )
}
