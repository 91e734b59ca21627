/** What is left out of one folder, by reason; an ignored folder in it can be protected, and that taken back. */
import { useState } from 'react'
import { bytes } from '../../../contract/sizes.ts'
import type { NotCovered } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { Ask } from '../../ui/ask.tsx'
import { Button } from '../../ui/button.tsx'
import { FirstLines } from '../../ui/first-lines.tsx'
import { plural } from '../../ui/format.ts'
import { NOT_KEPT } from '../../ui/reasons.ts'
import { ForgetPanel } from './forget-panel.tsx'
import { linesOf, type Protection, protect, unprotect, unprotected } from './protection.ts'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

/** Paths shown of each reason. */
const MOST = 12

interface LeftOutProps {
  readonly workspace: string
  readonly name: string
}

interface Asked {
  readonly folder: string
  readonly act: 'protect' | 'stop'
}

export function LeftOut({ workspace, name }: LeftOutProps) {
  const coverage = useQuery('coverage.list', { workspace }, { workspace, on: ['status', 'edits'] })
  const included = useSetting(`capture.include/${workspace}`)
  const never = useSetting(`capture.never/${workspace}`)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [letGo, setLetGo] = useState(false)
  const groups = [...Map.groupBy(coverage.data?.notCovered ?? [], ({ reason }) => reason)]
  const now: Protection = { include: linesOf(included.value), never: linesOf(never.value) }
  const left = unprotected(now)
  const change = async ({ folder, act }: Asked): Promise<void> => {
    const next = (act === 'protect' ? protect : unprotect)(now, folder)
    // What is never kept first: a folder that is protected again is copied by the second.
    const done = (await never.set(next.never.join('\n'))) && (await included.set(next.include.join('\n')))
    if (!done) return
    setAsked(null)
    setLetGo(act === 'stop')
    coverage.refetch()
  }
  const error = included.error ?? never.error
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
              <FirstLines items={paths} most={MOST} className="left-out" other="other">
                {(one) => (
                  <Path key={one.path} one={one} onProtect={() => setAsked({ folder: one.path, act: 'protect' })} />
                )}
              </FirstLines>
            </SettingRow>
          ))}
        </div>
      ) : null}
      <Folders
        title="Protected although ignored"
        folders={now.include}
        act="Stop protecting"
        onAct={(folder) => setAsked({ folder, act: 'stop' })}
      />
      <Folders
        title="Not protected any more"
        folders={left}
        act="Protect again"
        onAct={(folder) => setAsked({ folder, act: 'protect' })}
      />
      {letGo ? (
        <div className="set">
          <ForgetPanel folders={[{ id: workspace, name }]} onClose={() => setLetGo(false)} />
        </div>
      ) : null}
      {asked ? (
        <Ask
          title={asked.act === 'protect' ? `Protect ${asked.folder}?` : `Stop protecting ${asked.folder}?`}
          act={asked.act === 'protect' ? 'Protect it' : 'Stop protecting'}
          disabledReason={
            included.busy || never.busy ? (asked.act === 'protect' ? 'being copied' : 'being changed') : null
          }
          problem={error}
          onAct={() => void change(asked)}
          onClose={() => setAsked(null)}
        >
          {asked.act === 'protect' ? (
            <p>
              Its files are copied now, and whenever they change from then on. Folders such as node_modules or build
              output can be very large, and what is in them then counts against the history budget. You can stop that
              again, and let go of what was kept.
            </p>
          ) : (
            <>
              <p>
                Nothing in it is copied any more, neither new files nor those that are kept already, not even before an
                agent writes them. That they change is noted all the same.
              </p>
              <p>
                What was kept of it so far stays in the history, and can be restored. You see what that is next, and can
                let it go.
              </p>
            </>
          )}
        </Ask>
      ) : null}
    </>
  )
}

interface FoldersProps {
  readonly title: string
  readonly folders: readonly string[]
  readonly act: string
  readonly onAct: (folder: string) => void
}

function Folders({ title, folders, act, onAct }: FoldersProps) {
  if (folders.length === 0) return null
  return (
    <>
      <h2 className="label settings-label">{title}</h2>
      <ul className="set" aria-label={title}>
        {folders.map((folder) => (
          <li key={folder} className="setting">
            <span className="mono cap grow path">{folder}</span>
            <Button size="sm" aria-label={`${act}: ${folder}…`} onClick={() => onAct(folder)}>
              {act}…
            </Button>
          </li>
        ))}
      </ul>
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
