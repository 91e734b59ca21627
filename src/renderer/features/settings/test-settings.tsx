/** [TS-1] Which commands run tests besides the known ones, for all folders and for the open one. */
import { useId, useState } from 'react'
import { MEANINGS } from '../../../contract/words/settings.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

export function TestSettings({ workspace }: { readonly workspace: WorkspaceSummary | null }) {
  return (
    <>
      <h2 className="label settings-label">Tests</h2>
      <div className="set">
        <CommandList name="tests.commands" title="Test commands" about={MEANINGS['tests.commands']} />
        {workspace ? (
          <CommandList
            key={workspace.id}
            name={`tests.commands/${workspace.id}`}
            title={`In ${workspace.name}`}
            about="Replaces the list above in this folder. Without lines, that list applies."
          />
        ) : null}
      </div>
    </>
  )
}

interface CommandListProps {
  /** Of the setting. */
  readonly name: string
  readonly title: string
  readonly about: string
}

/** Commands, one per line. */
function CommandList({ name, title, about }: CommandListProps) {
  const { value, set, busy, error } = useSetting(name)
  const [typed, setTyped] = useState<string | null>(null)
  const id = useId()
  const text = typed ?? value ?? ''
  const save = async () => {
    if (await set(text)) setTyped(null)
  }
  return (
    <>
      <SettingRow title={title} id={id}>
        {about}
      </SettingRow>
      <div className="setting never">
        <textarea
          className="text-field mono"
          rows={2}
          spellCheck={false}
          aria-labelledby={id}
          placeholder="./ci.sh"
          value={text}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          size="sm"
          aria-describedby={id}
          disabledReason={busy ? 'saving…' : text === value || value === null ? 'no changes to save' : null}
          onClick={() => void save()}
        >
          Save list
        </Button>
        {error ? <p className="small c-danger">{error}</p> : null}
      </div>
    </>
  )
}
