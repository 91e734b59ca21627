/** How much room the history takes, what bounds it, and what would go before anything goes. */
import { useRef, useState } from 'react'
import { bytes } from '../../../contract/sizes.ts'
import type { Storage } from '../../../contract/storage.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { dayInText, plural } from '../../ui/format.ts'
import { Meter } from '../../ui/meter.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { FolderRow } from './folder-row.tsx'
import type { PageProps } from './page-props.ts'
import { PlaceRow } from './place-row.tsx'
import { SettingRow } from './setting-row.tsx'
import { SweepPanel } from './sweep-panel.tsx'
import { useBounds } from './use-bounds.ts'

export function StoragePage({ workspace, workspaces, home }: PageProps) {
  const [chosen, setChosen] = useState(workspace?.id ?? workspaces[0]?.id ?? '')
  const shown = workspaces.find(({ id }) => id === chosen) ?? null
  return (
    <>
      <h1>Storage</h1>
      <p className="muted">
        The newest state of every file is always kept. Earlier states are kept as far as the budget and the days below
        allow; pinned points are kept longest.
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
        <p className="small muted settings-after">Nothing is recorded yet, so nothing is stored.</p>
      )}
    </>
  )
}

const BUDGETS = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000].map((mb) => mb * 1_000_000)
const DAYS = [7, 30, 90, 365, 0]

function FolderStorage({ workspace, home }: { readonly workspace: WorkspaceSummary; readonly home: string }) {
  const query = useQuery(
    'storage.get',
    { workspace: workspace.id },
    { workspace: workspace.id, on: ['status', 'checkpoints', 'edits'] }
  )
  const bounds = useBounds(workspace.id, query.data, query.refetch)
  const [sweeping, setSweeping] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  /** The panel with the focused button goes: its settings have the focus then. */
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
  const { draft } = bounds
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
            options={choices(BUDGETS, draft.budget).map((value) => ({ value: String(value), label: bytes(value) }))}
            value={String(draft.budget)}
            onChange={(value) => bounds.change({ budget: Number(value) })}
          />
        }
      >
        Room for earlier states of {draft.scope === 'own' ? 'this folder' : 'each folder'}. The copy of what is in the
        folder now does not count.
      </SettingRow>
      <SettingRow
        title="Keep restore points for"
        control={
          <Select
            label="Keep restore points for"
            options={choices(DAYS, draft.days).map((value) => ({
              value: String(value),
              label: value === 0 ? 'As long as there is room' : plural(value, 'day')
            }))}
            value={String(draft.days)}
            onChange={(value) => bounds.change({ days: Number(value) })}
          />
        }
      >
        Older ones may go, the oldest first. A pinned point is not old.
      </SettingRow>
      <SettingRow
        title="Holds for"
        control={
          <Segmented
            label="Holds for"
            options={[
              { value: 'all', label: 'All folders' },
              { value: 'own', label: `Only ${workspace.name}` }
            ]}
            value={draft.scope}
            onChange={(scope) => bounds.change({ scope })}
          />
        }
      >
        A folder with bounds of its own does not follow the general ones.
      </SettingRow>
      {bounds.changed || sweeping ? (
        <SweepPanel
          key={`${draft.budget} ${draft.days}`}
          workspace={workspace.id}
          budget={draft.budget}
          days={draft.days}
          saving={bounds.changed}
          save={bounds.save}
          onDone={() => {
            closePanel()
            query.refetch()
          }}
          onCancel={() => {
            bounds.reset()
            closePanel()
          }}
        />
      ) : (
        <SettingRow
          title="Free space"
          control={
            <Button size="sm" onClick={() => setSweeping(true)}>
              Show what would go…
            </Button>
          }
        >
          Driftline does this by itself at calm moments. Look first, then do it now.
        </SettingRow>
      )}
      <PlaceRow title="Where it lies" path={storage.folder} home={home} />
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
          {bytes(storage.historyBytes)} of {bytes(storage.budget)} for earlier states
          <span className="dot-sep" />
          {bytes(storage.headBytes)} for the folder as it is now
          <span className="dot-sep" />
          {bytes(storage.bytes)} on disk
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
            ? 'No restore points yet'
            : `${plural(storage.positions, 'restore point')} kept whole, the oldest from ${dayInText(storage.oldestAt, Date.now())}`}
          <span className="dot-sep" />
          {bytes(storage.disk.free)} free on that disk
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
  const { data, error } = useQuery(
    'storage.get',
    { workspace: workspace.id },
    { workspace: workspace.id, on: ['checkpoints'] }
  )
  return (
    <FolderRow
      name={workspace.name}
      about={
        data
          ? `${bytes(data.bytes)} on disk, ${bytes(data.historyBytes)} of ${bytes(data.budget)} for earlier states`
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

/** The usual choices, with the present one where it is none of them. */
function choices(usual: readonly number[], present: number): number[] {
  return usual.includes(present) ? [...usual] : [present, ...usual]
}
