/** Who wrote each line of a file as it is recorded now: a column of names beside its text. Reading only. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { BlameLine } from '../../../contract/log.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { blameRows } from './blame-rows.ts'
import './blame.css'

interface BlameViewProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly path: string
  /** Looks like a credential: its text is not shown here. */
  readonly secret: boolean
  readonly onClose: () => void
}

interface Loaded {
  readonly path: string
  readonly lines: readonly BlameLine[] | null
  readonly error: string
}

export function BlameView({ client, workspace, path, secret, onClose }: BlameViewProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
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
  return (
    <div className="blame">
      <div className="bar sub">
        <span className="ell">Who wrote each line, as recorded now</span>
        <span className="grow" />
        <span className="ages" aria-hidden="true">
          older <i className="age-1" />
          <i className="age-2" />
          <i className="age-3" />
          <i className="age-4" /> newer
        </span>
        <Button kind="plain" size="sm" onClick={onClose}>
          Show the change
        </Button>
      </div>
      {shown?.error || secret ? (
        <div className="blank" role="alert">
          <Icon name={secret ? 'lock' : 'none'} size="big" />
          <h3>{secret ? 'Looks like secrets: the lines are not shown here.' : 'The lines cannot be told apart.'}</h3>
          <p>{secret ? '' : shown?.error}</p>
        </div>
      ) : rows?.length === 0 ? (
        <div className="blank">
          <h3>The file is empty now.</h3>
        </div>
      ) : rows ? (
        <VirtualList
          label={`${path}, who wrote each line`}
          className="blame-list"
          tabIndex={0}
          items={rows}
          keyOf={(row) => String(row.n)}
          heightOf={() => 20}
          renderRow={(row) => (
            <li className={row.first ? 'bl first' : 'bl'}>
              <span
                className={row.outside ? 'w outside' : 'w'}
                title={row.first ? `${row.who}, ${row.when}` : undefined}
              >
                <i className={`age age-${row.age}`} />
                {row.first ? (
                  <>
                    {row.outside ? <Icon name="person" size="s" /> : null}
                    <span className="ell grow">{row.who}</span>
                    <span className="num">{row.when}</span>
                  </>
                ) : null}
              </span>
              <span className="n num">{row.n}</span>
              <code>{row.text}</code>
            </li>
          )}
        />
      ) : (
        <div className="loadbar late" role="progressbar" aria-label="Loading" />
      )}
    </div>
  )
}
