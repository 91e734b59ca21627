/** What is left out of one folder, by reason; an ignored folder in it can be protected. */
import { useState } from 'react'
import type { NotCovered } from '../../../contract/domain.ts'
import { useQuery } from '../../client/use-query.ts'
import { Ask } from '../../ui/ask.tsx'
import { Button } from '../../ui/button.tsx'
import { bytes, plural } from '../../ui/format.ts'
import { NOT_KEPT } from '../../ui/reasons.ts'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

/** Paths shown of each reason. */
const MOST = 12

interface LeftOutProps {
  readonly workspace: string
  readonly name: string
}

export function LeftOut({ workspace, name }: LeftOutProps) {
  const coverage = useQuery('coverage.list', { workspace }, { workspace, on: ['status', 'edits'] })
  const included = useSetting(`capture.include/${workspace}`)
  const [asked, setAsked] = useState<string | null>(null)
  const groups = [...Map.groupBy(coverage.data?.notCovered ?? [], ({ reason }) => reason)]
  const folders = (included.value ?? '').split('\n').filter(Boolean)
  const protect = (folder: string) =>
    void included.set([...folders, folder].join('\n')).then((kept) => {
      if (!kept) return
      setAsked(null)
      coverage.refetch()
    })
  return (
    <>
      <h2 className="label settings-label">Left out in {name}</h2>
      {coverage.data && groups.length === 0 ? (
        <p className="small muted settings-after">
          Nothing. All {plural(coverage.data.covered.files, 'file')} are kept.
        </p>
      ) : null}
      {groups.length > 0 ? (
        <div className="set">
          {groups.map(([reason, paths]) => (
            <SettingRow key={reason} title={`${NOT_KEPT[reason].title}, ${paths.length}`}>
              {NOT_KEPT[reason].what}
              <ul className="left-out">
                {paths.slice(0, MOST).map((one) => (
                  <Path key={one.path} one={one} onProtect={() => setAsked(one.path)} />
                ))}
              </ul>
              {paths.length > MOST ? `and ${plural(paths.length - MOST, 'other')}` : null}
            </SettingRow>
          ))}
        </div>
      ) : null}
      {folders.length > 0 ? (
        <>
          <h2 className="label settings-label">Protected although ignored</h2>
          <ul className="set">
            {folders.map((folder) => (
              <li key={folder} className="setting">
                <span className="mono cap grow">{folder}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {asked !== null ? (
        <Ask
          title={`Protect ${asked}?`}
          act="Protect it"
          busy={included.busy ? 'being copied' : null}
          onAct={() => protect(asked)}
          onClose={() => setAsked(null)}
        >
          <p>
            Its files are copied now, and whenever they change from then on. Folders such as node_modules or build
            output can be very large, and what is in them then counts against the history budget. This cannot be undone
            for files that are kept already.
          </p>
          {included.error ? <p role="alert">{included.error}</p> : null}
        </Ask>
      ) : null}
    </>
  )
}

function Path({ one, onProtect }: { readonly one: NotCovered; readonly onProtect: () => void }) {
  const isFolder = one.reason === 'ignored' && one.size === undefined
  return (
    <li>
      <span className="mono cap">
        {one.path}
        {one.size === undefined ? '' : `, ${bytes(one.size)}`}
      </span>
      {isFolder ? (
        <Button size="sm" kind="ghost" aria-label={`Protect ${one.path}…`} onClick={onProtect}>
          Protect…
        </Button>
      ) : null}
    </li>
  )
}
