/** Size and limits of the history, and the preview of a cleanup. */
import { useRef, useState } from 'react'
import type { Storage } from '../../../contract/storage.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { dayInText } from '../../../contract/words/times.ts'
import { DISK_FULL_TEXT } from '../../../contract/words/watching.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Select } from '../../ui/select.tsx'
import { BackupSettings } from './backup-settings.tsx'
import type { PageProps } from './page-props.ts'
import { FolderRow, PathRow, SettingRow } from './setting-row.tsx'
import { ChoiceRow } from './settings-table.tsx'
import { SweepPanel } from './sweep-panel.tsx'
import { useRetention } from './use-retention.ts'

export function StoragePage({ workspace, workspaces }: PageProps) {
  const [chosen, setChosen] = useState(workspace?.id ?? workspaces[0]?.id ?? '')
  const shown = workspaces.find(({ id }) => id === chosen) ?? null
  const several = workspaces.length > 1
  return (
    <>
      <h1>Storage</h1>
      <p className="muted">
        The newest version of every file is always kept. Earlier versions are kept within the limits below; pinned
        checkpoints are kept longest.
      </p>
      {several && shown ? (
        <div className="settings-pick">
          <Select
            label="Folder"
            options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen}
            onChange={setChosen}
          />
        </div>
      ) : null}
      {shown ? (
        <FolderStorage key={shown.id} workspace={shown} />
      ) : (
        <p className="small muted settings-after">Nothing is recorded yet.</p>
      )}
      {several && shown ? (
        <>
          <h2 className="label settings-label">All folders</h2>
          <ul className="set">
            {workspaces.map((each) => (
              <FolderLine
                key={each.id}
                workspace={each}
                chosen={each.id === chosen}
                onChoose={() => setChosen(each.id)}
              />
            ))}
          </ul>
        </>
      ) : null}
      <BackupSettings />
    </>
  )
}

const BUDGETS = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000].map((mb) => mb * 1_000_000)
const DAYS = [7, 30, 90, 365, 0]

function FolderStorage({ workspace }: { readonly workspace: WorkspaceSummary }) {
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
        <p className="notice settings-notice" data-tone="warn" role="alert">
          {DISK_FULL_TEXT}
        </p>
      ) : null}
      <RetentionRows retention={retention} name={workspace.name} />
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
      <PathRow title="Location" path={storage.folder} />
    </div>
  )
}

/** The limits of the history, and for which folders they hold. */
function RetentionRows({ retention: { draft, change }, name }: RetentionRowsProps) {
  return (
    <>
      <ChoiceRow
        setting={{
          title: 'History budget',
          about: `Space for earlier versions and conversations of ${draft.scope === 'own' ? 'this folder' : 'each folder'}. The current copy does not count.`,
          values: optionsOf(BUDGETS, draft.budget, formatBytes),
          control: 'list'
        }}
        value={String(draft.budget)}
        onChange={(value) => change({ budget: Number(value) })}
      />
      <ChoiceRow
        setting={{
          title: 'Keep history for',
          about: 'Older points may be removed, oldest first; pinned ones stay.',
          values: optionsOf(DAYS, draft.days, (days) => (days === 0 ? 'While there is space' : plural(days, 'day'))),
          control: 'list'
        }}
        value={String(draft.days)}
        onChange={(value) => change({ days: Number(value) })}
      />
      <ChoiceRow
        setting={{
          title: 'Applies to',
          about: 'Folders with their own limits ignore these.',
          values: [
            { value: 'all', label: 'All folders' },
            { value: 'own', label: `Only ${name}` }
          ]
        }}
        value={draft.scope}
        onChange={(scope) => change({ scope: scope === 'own' ? 'own' : 'all' })}
      />
    </>
  )
}

interface RetentionRowsProps {
  readonly retention: ReturnType<typeof useRetention>
  readonly name: string
}

function Usage({ storage, name }: { readonly storage: Storage; readonly name: string }) {
  const { historyBytes, conversationBytes, budget, headBytes, bytes, oldestAt, positions, disk } = storage
  const share = Math.min(100, (historyBytes / budget) * 100)
  const oldest = oldestAt === null ? '' : dayInText(oldestAt, Date.now())
  return (
    <div className="setting">
      <div className="grow setting-text">
        <p className="set-title">{name}</p>
        <p className="set-about">
          <Dotted
            facts={[
              `${formatBytes(historyBytes)} of ${formatBytes(budget)} for earlier versions and conversations`,
              conversationBytes > 0 ? `${formatBytes(conversationBytes)} of conversations` : '',
              `${formatBytes(headBytes)} for current files`,
              `${formatBytes(bytes)} on disk`
            ]}
          />
        </p>
        <Meter
          label={`History of ${name}`}
          value={Math.round(share)}
          max={100}
          size="lg"
          tone={share > 90 ? 'warn' : 'accent'}
        />
        <p className="set-about">
          <Dotted
            facts={[
              oldest ? `${plural(positions, 'restorable point')}, oldest from ${oldest}` : 'Nothing to restore to yet',
              `${formatBytes(disk.free)} free on this disk`
            ]}
          />
        </p>
      </div>
    </div>
  )
}

interface FolderLineProps {
  readonly workspace: WorkspaceSummary
  readonly chosen: boolean
  readonly onChoose: () => void
}

function FolderLine({ workspace, chosen, onChoose }: FolderLineProps) {
  const { data, error } = useQuery('storage.get', { workspace: workspace.id })
  const use =
    data && `${formatBytes(data.historyBytes)} of ${formatBytes(data.budget)} for earlier versions and conversations`
  return (
    <FolderRow
      name={workspace.name}
      about={data ? `${formatBytes(data.bytes)} on disk, ${use}` : (error?.message ?? 'Reading…')}
    >
      {chosen ? (
        <span className="badge">shown above</span>
      ) : (
        <Button size="sm" aria-label={`Show ${workspace.name}`} onClick={onChoose}>
          Show
        </Button>
      )}
    </FolderRow>
  )
}

/** The default options, with the current value first if it is not one of them. */
function optionsOf(defaults: readonly number[], current: number, labelOf: (value: number) => string) {
  const values = defaults.includes(current) ? defaults : [current, ...defaults]
  return values.map((value) => ({ value: String(value), label: labelOf(value) }))
}
