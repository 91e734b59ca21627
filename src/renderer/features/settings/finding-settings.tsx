/** [RV-6] Which kinds of findings are named. */
import { FINDING_KINDS, type FindingKind } from '../../../contract/findings.ts'
import { linesOf } from '../../../contract/settings.ts'
import { FINDING_ABOUT, FINDING_NAMES } from '../../../contract/words/findings.ts'
import { Switch } from '../../ui/switch.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

export function FindingSettings() {
  const { value, set, error } = useSetting('review.findings-off')
  const off = new Set(linesOf(value ?? ''))
  const toggle = (kind: FindingKind, on: boolean) =>
    void set(FINDING_KINDS.filter((each) => (each === kind ? !on : off.has(each))).join('\n'))
  return (
    <>
      <h2 className="label settings-label">Findings</h2>
      <p className="small muted settings-about">
        The lines of a run to read first are listed above its files and marked in the diff. They are found by rules,
        without a model.
      </p>
      {error ? <p className="small c-danger settings-about">{error}</p> : null}
      <div className="set">
        {FINDING_KINDS.map((kind) => (
          <SettingRow
            key={kind}
            title={FINDING_NAMES[kind]}
            control={
              <Switch
                on={!off.has(kind)}
                disabled={value === null}
                aria-label={FINDING_NAMES[kind]}
                onChange={(on) => toggle(kind, on)}
              />
            }
          >
            {FINDING_ABOUT[kind]}
          </SettingRow>
        ))}
      </div>
    </>
  )
}
