/** When each agent on this computer gets comments and undone changes. */
import { SETTINGS } from '../../../contract/settings.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { AgentView } from '../agents/use-agents.ts'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

const CHOICES = [
  { value: 'ask', label: 'When I send them' },
  { value: 'on', label: 'With every prompt' },
  { value: 'off', label: 'Never' }
] as const

export function ReviewSettings({ agents }: { readonly agents: readonly AgentView[] }) {
  const shown = agents.filter(({ id, connectedIn }) => connectedIn !== null && `review.${id}` in SETTINGS)
  if (shown.length === 0) return null
  return (
    <>
      <h2 className="label settings-label">Reviews</h2>
      <p className="small muted settings-about">
        Your comments, and what you undid or restored, can be sent to the agent with your next prompt.
      </p>
      <div className="set">
        <RefuseUndoneRow />
        {shown.map(({ id }) => (
          <ReviewSettingRow key={id} agent={id} />
        ))}
      </div>
    </>
  )
}

function ReviewSettingRow({ agent }: { readonly agent: string }) {
  const { name } = agentIdentity(agent)
  const { value, set, error } = useSetting(`review.${agent}`)
  const chosen = CHOICES.find((choice) => choice.value === value)?.value ?? 'ask'
  return (
    <SettingRow
      title={name}
      control={
        <Select
          label={`Send reviews to ${name}`}
          options={CHOICES}
          value={chosen}
          onChange={(next) => void set(next)}
        />
      }
    >
      {error ? <span className="c-danger">{error}</span> : null}
    </SettingRow>
  )
}

/** [RV-7] */
function RefuseUndoneRow() {
  const { value, set, error } = useSetting('review.refuse-undone')
  const on = value === 'on'
  return (
    <SettingRow
      title="Refuse what I undid"
      control={
        <Switch
          id="refuse-undone"
          on={on}
          aria-label="Refuse what I undid"
          onChange={(next) => void set(next ? 'on' : 'off')}
        />
      }
    >
      {error ? (
        <span className="c-danger">{error}</span>
      ) : (
        'A file tool that would write exactly that again is refused, and the agent gets the reason.'
      )}
    </SettingRow>
  )
}
