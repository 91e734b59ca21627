/** What is copied and what is left out, and what a person chose about both. */
import { Select } from '../../ui/select.tsx'
import { LeftOut } from './left-out.tsx'
import { NeverKeep } from './never-keep.tsx'
import type { PageProps } from './page-props.ts'
import { SettingRow, SwitchRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

const MIB = 1024 * 1024
const USUAL = 50 * MIB
const LIMITS = [
  { value: String(10 * MIB), label: '10 MB' },
  { value: String(USUAL), label: '50 MB' },
  { value: String(200 * MIB), label: '200 MB' },
  { value: String(1024 * MIB), label: '1 GB' },
  { value: String(5 * 1024 * MIB), label: '5 GB' }
]

export function CapturePage({ workspace }: PageProps) {
  const limit = useSetting('capture.limit')
  const preRun = useSetting('capture.preRunDrift')
  const value = limit.value || String(USUAL)
  const known = LIMITS.some((one) => one.value === value)
  return (
    <>
      <h1>Capture</h1>
      <p className="muted">
        Every file in a recorded folder is copied when it changes, whoever changes it. What is left out is always
        listed, with the reason.
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
            ? 'Looking again at what was left out…'
            : 'Larger files are watched, but their contents are not kept. Raised, those left out are kept at once; lowered, files stay kept until they change.'}
          {limit.error ? (
            <span className="c-danger" role="alert">
              {limit.error}
            </span>
          ) : null}
        </SettingRow>
        <SettingRow title="Ignored folders">
          Folders that git ignores, and ones such as node_modules, are left out. Ignored files outside them are kept up
          to 5 MB, and whatever an agent names before it writes is kept in any case.
        </SettingRow>
        <NeverKeep />
        <SwitchRow
          title="Mark outside changes before a run"
          id="pre-run-drift"
          on={preRun.value === 'true'}
          onChange={(on) => void preRun.set(on ? 'true' : '')}
        >
          A run that starts while outside changes are open gets a restore point of its own for them. Either way they
          belong to what the run is compared with.
        </SwitchRow>
      </div>
      {workspace ? <LeftOut workspace={workspace.id} name={workspace.name} /> : null}
    </>
  )
}
