/** What is left out of one folder, by reason; an ignored folder in it can be protected, and that taken back. */
import { useState } from 'react'
import { formatBytes } from '../../../contract/sizes.ts'
import type { ExcludedPath } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { FirstLines } from '../../ui/first-lines.tsx'
import { plural } from '../../ui/format.ts'
import { EXCLUDED_REASONS } from '../../ui/excluded-reasons.ts'
import { ExcludedCopiesPanel } from './excluded-copies-panel.tsx'
import { linesOf, type Protection, protect, unprotect, unprotected } from './protection.ts'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

/** Paths shown of each reason. */
const MOST = 12

interface ExcludedPathsProps {
  readonly workspace: string
  readonly name: string
}

interface Asked {
  readonly folder: string
  readonly act: 'protect' | 'stop'
}

export function ExcludedPaths({ workspace, name }: ExcludedPathsProps) {
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
      <h2 className="label settings-label">Excluded in {name}</h2>
      {coverage.data && groups.length === 0 ? (
        <p className="small muted settings-after">
          Nothing is excluded. All {plural(coverage.data.covered.files, 'file')} are covered.
        </p>
      ) : null}
      {groups.length > 0 ? (
        <div className="set">
          {groups.map(([reason, paths]) => (
            <SettingRow key={reason} title={`${EXCLUDED_REASONS[reason].title}, ${paths.length}`}>
              {EXCLUDED_REASONS[reason].explanation}
              <FirstLines items={paths} limit={MOST} className="left-out" restNoun="other">
                {(one) => (
                  <Path key={one.path} one={one} onProtect={() => setAsked({ folder: one.path, act: 'protect' })} />
                )}
              </FirstLines>
            </SettingRow>
          ))}
        </div>
      ) : null}
      <Folders
        title="Ignored folders you protect"
        folders={now.include}
        act="Stop protecting"
        onAct={(folder) => setAsked({ folder, act: 'stop' })}
      />
      <Folders
        title="No longer protected"
        folders={left}
        act="Protect again"
        onAct={(folder) => setAsked({ folder, act: 'protect' })}
      />
      {letGo ? (
        <div className="set">
          <ExcludedCopiesPanel folders={[{ id: workspace, name }]} onClose={() => setLetGo(false)} />
        </div>
      ) : null}
      {asked ? (
        <ConfirmDialog
          title={asked.act === 'protect' ? `Protect ${asked.folder}?` : `Stop protecting ${asked.folder}?`}
          confirmLabel={asked.act === 'protect' ? 'Protect' : 'Stop protecting'}
          disabledReason={
            included.busy || never.busy ? (asked.act === 'protect' ? 'copying…' : 'saving…') : null
          }
          problem={error}
          onConfirm={() => void change(asked)}
          onClose={() => setAsked(null)}
        >
          {asked.act === 'protect' ? (
            <p>
              Its files are copied now and whenever they change. Folders such as node_modules or build output can be very large, and their copies count against the history budget. You can stop this at any time and delete the copies.
            </p>
          ) : (
            <>
              <p>
                Files in this folder are no longer copied, not even before an agent writes them. Changes are still listed.
              </p>
              <p>
                Existing copies stay in the history and can be restored. The next step lists them and lets you delete them.
              </p>
            </>
          )}
        </ConfirmDialog>
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

function Path({ one, onProtect }: { readonly one: ExcludedPath; readonly onProtect: () => void }) {
  const isFolder = one.reason === 'ignored' && one.size === undefined
  return (
    <li>
      <span className="mono cap">
        {one.path}
        {one.size === undefined ? '' : `, ${formatBytes(one.size)}`}
      </span>
      {isFolder ? (
        <Button size="sm" kind="ghost" aria-label={`Protect ${one.path}…`} onClick={onProtect}>
          Protect…
        </Button>
      ) : null}
    </li>
  )
}
