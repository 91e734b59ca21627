/** What is stored and what is excluded. */
import { Select } from '../../ui/select.tsx'
import { ExcludeList } from './exclude-list.tsx'
import { ExcludedPaths } from './excluded-paths.tsx'
import type { PageProps } from './page-props.ts'
import { SettingRow, SwitchRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

const MIB = 1024 * 1024
const DEFAULT_LIMIT = 50 * MIB
const LIMITS = [
  { value: String(10 * MIB), label: '10 MB' },
  { value: String(DEFAULT_LIMIT), label: '50 MB' },
  { value: String(200 * MIB), label: '200 MB' },
  { value: String(1024 * MIB), label: '1 GB' },
  { value: String(5 * 1024 * MIB), label: '5 GB' }
]

export function CapturePage({ workspace }: PageProps) {
  const limit = useSetting('capture.limit')
  const preRun = useSetting('capture.preRunDrift')
  const value = limit.value || String(DEFAULT_LIMIT)
  const known = LIMITS.some((option) => option.value === value)
  return (
    <>
      <h1>Capture</h1>
      <p className="muted">
        Every file in a recorded folder is copied when it changes. Excluded files are listed with the reason.
      </p>
      <div className="set">
        <SettingRow
          title="Largest file"
          control={
            <Select
              label="Largest file"
              options={known ? LIMITS : [{ value, label: `${Math.round(Number(value) / MIB)} MB` }, ...LIMITS]}
              value={value}
              onChange={(next) => void limit.set(next)}
            />
          }
        >
          {limit.busy
            ? 'Rescanning skipped files…'
            : 'Larger files are noticed but not copied. Raising the limit copies skipped files at once; lowering it applies at the next change.'}
          {limit.error ? (
            <span className="c-danger" role="alert">
              {limit.error}
            </span>
          ) : null}
        </SettingRow>
        <SettingRow title="Ignored folders">
          Folders that git ignores, and folders such as node_modules, are excluded. Ignored files outside them are
          stored up to 5 MB. A file that an agent names before writing is always stored.
        </SettingRow>
        <ExcludeList />
        <SwitchRow
          title="Mark outside changes before a run"
          id="pre-run-drift"
          on={preRun.value === 'true'}
          onChange={(on) => void preRun.set(on ? 'true' : '')}
        >
          Adds a checkpoint before a run when there are unreviewed outside changes. The run is compared with them
          included either way.
        </SwitchRow>
      </div>
      {workspace ? <ExcludedPaths workspace={workspace.id} name={workspace.name} /> : null}
    </>
  )
}
