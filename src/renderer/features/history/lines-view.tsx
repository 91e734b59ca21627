/** Who wrote each line of a file as it is recorded now: a column of names beside its text. Reading only. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { BlameLine, PathVersion } from '../../../contract/log.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { Who } from '../../ui/agent.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { type BlameRow, blameRows, blockAt, blockWords } from './blame-rows.ts'

interface LinesViewProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly path: string
  /** Looks like a credential: its text is not shown here. */
  readonly secret: boolean
  /** By the seq lines are known by. */
  readonly versions: ReadonlyMap<number, PathVersion>
  /** Lines of this version are marked. */
  readonly marked: number | null
  /** Words looked for, "" for none. */
  readonly find: string
  /** Which of the lines that hold them is gone to, counted from 0; null: none yet. */
  readonly found: number | null
  readonly onFound: (lines: number) => void
  /** Says more of the block a row is in. */
  readonly onTell: (rows: readonly BlameRow[], index: number, anchor: DOMRect) => void
}

interface Loaded {
  readonly path: string
  readonly lines: readonly BlameLine[] | null
  readonly error: string
}

export function LinesView(props: LinesViewProps) {
  const { client, workspace, path, secret, versions, find, found, onFound } = props
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [focused, setFocused] = useState(0)
  const list = useRef<VirtualListHandle>(null)
  const turn = useRef(0)
  useEffect(() => {
    const load = () => {
      const mine = ++turn.current
      const take = (next: Omit<Loaded, 'path'>) => {
        if (mine === turn.current) setLoaded({ path, ...next })
      }
      client.call('file.blame', { workspace, path }).then(
        ({ lines }) => take({ lines, error: '' }),
        // Not text, not kept, or not there now: said in place.
        (reason: unknown) => take({ lines: null, error: reason instanceof Error ? reason.message : String(reason) })
      )
    }
    load()
    return client.on('workspace.changed', (change) => {
      if (change.workspace === workspace && change.paths.includes(path)) load()
    })
  }, [client, workspace, path])

  const shown = loaded?.path === path ? loaded : null
  const rows = useMemo(() => (shown?.lines ? blameRows(shown.lines, Date.now()) : null), [shown])
  const hits = useMemo(() => {
    const words = find.toLowerCase()
    if (words === '' || !rows) return []
    return rows.flatMap(({ text }, index) => (text.toLowerCase().includes(words) ? [index] : []))
  }, [rows, find])
  useEffect(() => onFound(hits.length), [hits, onFound])
  const hit = found === null ? -1 : (hits[found] ?? -1)
  useEffect(() => {
    if (hit >= 0) list.current?.reveal(hit)
  }, [hit])

  if (shown?.error || secret) {
    return (
      <div className="blank" role="alert">
        <Icon name={secret ? 'lock' : 'none'} size="big" />
        <h3>{secret ? 'Looks like secrets: the lines are not shown here.' : 'The lines cannot be told apart.'}</h3>
        <p>{secret ? '' : shown?.error}</p>
      </div>
    )
  }
  if (!rows) return <div className="loadbar late" role="progressbar" aria-label="Loading" />
  if (rows.length === 0) {
    return (
      <div className="blank">
        <h3>The file is empty now.</h3>
      </div>
    )
  }

  const firsts = rows.flatMap(({ first }, index) => (first ? [index] : []))
  const at = firsts.includes(focused) ? focused : 0
  const tell = (index: number) => {
    const row = list.current?.element?.querySelector(`[data-index="${firstOf(rows, index)}"] .w`)
    if (row) props.onTell(rows, index, row.getBoundingClientRect())
  }
  const key = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return tell(at)
    }
    const here = firsts.indexOf(at)
    const next =
      event.key === 'ArrowDown'
        ? firsts[here + 1]
        : event.key === 'ArrowUp'
          ? firsts[here - 1]
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? firsts.at(-1)
              : null
    if (next === null) return
    event.preventDefault()
    if (next === undefined) return
    setFocused(next)
    list.current?.focusRow(next)
  }
  return (
    <VirtualList
      ref={list}
      label={`${path}, who wrote each line`}
      className="blame-list"
      items={rows}
      keyOf={(row) => String(row.n)}
      heightOf={() => 20}
      keep={at}
      onKeyDown={key}
      renderRow={(row, index) => (
        <li
          className={[
            'bl',
            row.first ? 'first' : '',
            row.seq === props.marked ? 'on' : '',
            index === hit ? 'at' : find !== '' && hits.includes(index) ? 'hit' : ''
          ]
            .filter(Boolean)
            .join(' ')}
          {...(row.first ? { 'data-index': index, tabIndex: index === at ? 0 : -1 } : {})}
          onFocus={() => setFocused(index)}
          onClick={(event) => {
            if ((event.target as Element).closest('.w')) tell(index)
          }}
          onKeyDown={() => {}}
        >
          <span className={row.outside ? 'w outside' : 'w'}>
            <i className={`age age-${row.age}`} />
            {row.first ? (
              <>
                <Maker row={row} version={versions.get(row.seq)} />
                <span className="ell grow">{row.who}</span>
                <span className="num">{row.when}</span>
                <span className="sr">, {blockWords(blockAt(rows, index))}: </span>
              </>
            ) : null}
          </span>
          <span className="n num">{row.n}</span>
          <code>{row.text}</code>
        </li>
      )}
    />
  )
}

/** The first row of a row's block. */
function firstOf(rows: readonly BlameRow[], index: number): number {
  let at = index
  while (at > 0 && !rows[at]?.first) at--
  return at
}

function Maker({ row, version }: { readonly row: BlameRow; readonly version: PathVersion | undefined }) {
  if (version?.agent) return <Who agent={version.agent} />
  if (!row.outside) return null
  return (
    <span className="who">
      <Icon name="person" size="s" />
    </span>
  )
}
