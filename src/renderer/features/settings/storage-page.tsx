/** Size and limits of the history, and the preview of a cleanup. */

import { useRef, useState } from 'react'
import type { Storage } from '../../../contract/storage.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { dayInText } from '../../../contract/words/times.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { FolderRow } from './folder-row.tsx'
import type { PageProps } from './page-props.ts'
import { PathRow } from './path-row.tsx'
import { SettingRow } from './setting-row.tsx'
import { SweepPanel } from './sweep-panel.tsx'
import { useRetention } from './use-retention.ts'

export function StoragePage({ workspace, workspaces, home }: PageProps) {
  const [chosen, setChosen] = useState(workspace?.id ?? workspaces[0]?.id ?? '')
  const shown = workspaces.find(({ id }) => id === chosen) ?? null
  return (
    <>
      <h1>Storage</h1>
      <p className="muted">
        The newest version of every file is always kept. Earlier versions are kept within the limits below; pinned
        checkpoints are kept longest.
      </p>
      {shown ? (
        <>
          {workspaces.length > 1 ? (
            <div className="settings-pick">
              <Select
                label="Folder"
                options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
                value={chosen}
                onChange={setChosen}
              />
            </div>
          ) : null}
          <FolderStorage key={shown.id} workspace={shown} home={home} />
          <AllFolders workspaces={workspaces} chosen={chosen} onChoose={setChosen} />
        </>
      ) : (
        <p className="small muted settings-after">Nothing is recorded yet.</p>
      )}
    </>
  )
}

const BUDGETS = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000].map((mb) => mb * 1_000_000)
const DAYS = [7, 30, 90, 365, 0]

function FolderStorage({ workspace, home }: { readonly workspace: WorkspaceSummary; readonly home: string }) {
  const query = useQuery('storage.get', { workspace: workspace.id })
  const retention = useRetention(workspace.id, query.data, query.refetch)
  const [sweeping, setSweeping] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  /** The panel contains the focused button, so the focus moves to the group. */
  const closePanel = () => {
    setSweeping(false)
    box.current?.focus()
  }
  const storage = query.data
  if (!storage) {
    return query.error ? (
      <FailedNotice error={query.error} className="settings-notice" onRetry={query.refetch} />
    ) : (
      <div className="set" aria-busy="true" />
    )
  }
  const { draft } = retention
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and borders; the group has a name.
    <div className="set" ref={box} tabIndex={-1} role="group" aria-label={`Storage of ${workspace.name}`}>
      <Usage storage={storage} name={workspace.name} />
      {storage.disk.low ? (
        <p className="notice warn settings-notice" role="alert">
          {storage.disk.why}
        </p>
      ) : null}
      <SettingRow
        title="History budget"
        control={
          <Select
            label="History budget"
            options={withCurrent(BUDGETS, draft.budget).map((value) => ({
              value: String(value),
              label: formatBytes(value)
            }))}
            value={String(draft.budget)}
            onChange={(value) => retention.change({ budget: Number(value) })}
          />
        }
      >
        Space for earlier versions of {draft.scope === 'own' ? 'this folder' : 'each folder'}. The current copy does not
        count.
      </SettingRow>
      <SettingRow
        title="Keep history for"
        control={
          <Select
            label="Keep history for"
            options={withCurrent(DAYS, draft.days).map((value) => ({
              value: String(value),
              label: value === 0 ? 'While there is space' : plural(value, 'day')
            }))}
            value={String(draft.days)}
            onChange={(value) => retention.change({ days: Number(value) })}
          />
        }
      >
        Older points may be removed, oldest first; pinned ones stay.
      </SettingRow>
      <SettingRow
        title="Applies to"
        control={
          <Segmented
            label="Applies to"
            options={[
              { value: 'all', label: 'All folders' },
              { value: 'own', label: `Only ${workspace.name}` }
            ]}
            value={draft.scope}
            onChange={(scope) => retention.change({ scope })}
          />
        }
      >
        Folders with their own limits ignore these.
      </SettingRow>
      {retention.changed || sweeping ? (
        <SweepPanel
          key={`${draft.budget} ${draft.days}`}
          workspace={workspace.id}
          budget={draft.budget}
          days={draft.days}
          saving={retention.changed}
          save={retention.save}
          onDone={() => {
            closePanel()
            query.refetch()
          }}
          onCancel={() => {
            retention.reset()
            closePanel()
          }}
        />
      ) : (
        <SettingRow
          title="Free space"
          control={
            <Button size="sm" onClick={() => setSweeping(true)}>
              Preview cleanup…
            </Button>
          }
        >
          Happens automatically when idle. Preview it and run it now.
        </SettingRow>
      )}
      <PathRow title="Location" path={storage.folder} home={home} />
    </div>
  )
}

function Usage({ storage, name }: { readonly storage: Storage; readonly name: string }) {
  const share = Math.min(100, (storage.historyBytes / storage.budget) * 100)
  return (
    <div className="setting">
      <div className="grow">
        <p className="n">{name}</p>
        <p className="d">
          {formatBytes(storage.historyBytes)} of {formatBytes(storage.budget)} for earlier versions
          <span className="dot-sep" />
          {formatBytes(storage.headBytes)} for current files
          <span className="dot-sep" />
          {formatBytes(storage.bytes)} on disk
        </p>
        <Meter
          label={`History of ${name}`}
          value={Math.round(share)}
          max={100}
          size="lg"
          tone={share > 90 ? 'warn' : 'accent'}
        />
        <p className="d">
          {storage.oldestAt === null
            ? 'Nothing to restore to yet'
            : `${plural(storage.positions, 'restorable point')}, oldest from ${dayInText(storage.oldestAt, Date.now())}`}
          <span className="dot-sep" />
          {formatBytes(storage.disk.free)} free on this disk
        </p>
      </div>
    </div>
  )
}

interface AllFoldersProps {
  readonly workspaces: readonly WorkspaceSummary[]
  readonly chosen: string
  readonly onChoose: (workspace: string) => void
}

function AllFolders({ workspaces, chosen, onChoose }: AllFoldersProps) {
  if (workspaces.length < 2) return null
  return (
    <>
      <h2 className="label settings-label">All folders</h2>
      <ul className="set">
        {workspaces.map((summary) => (
          <FolderLine key={summary.id} workspace={summary} chosen={summary.id === chosen} onChoose={onChoose} />
        ))}
      </ul>
    </>
  )
}

function FolderLine({
  workspace,
  chosen,
  onChoose
}: {
  readonly workspace: WorkspaceSummary
  readonly chosen: boolean
  readonly onChoose: (workspace: string) => void
}) {
  const { data, error } = useQuery('storage.get', { workspace: workspace.id })
  return (
    <FolderRow
      name={workspace.name}
      about={
        data
          ? `${formatBytes(data.bytes)} on disk, ${formatBytes(data.historyBytes)} of ${formatBytes(data.budget)} for earlier versions`
          : (error?.message ?? 'Reading…')
      }
    >
      {chosen ? (
        <span className="badge">shown above</span>
      ) : (
        <Button size="sm" aria-label={`Show ${workspace.name}`} onClick={() => onChoose(workspace.id)}>
          Show
        </Button>
      )}
    </FolderRow>
  )
}

/** The default options, with the current value first if it is not one of them. */
function withCurrent(options: readonly number[], current: number): number[] {
  return options.includes(current) ? [...options] : [current, ...options]
}
