/** Patterns of files whose contents are never kept. */
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

const SECRETS = [
  '.env',
  '.env.*',
  '!.env.example',
  '*.pem',
  '*.key',
  '*.p12',
  'id_rsa',
  'id_ed25519',
  '.npmrc',
  '.netrc'
]

export function NeverKeep() {
  const never = useSetting('capture.never')
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? never.value ?? ''
  const changed = typed !== null && typed !== (never.value ?? '')
  const missing = SECRETS.filter((pattern) => !text.split('\n').includes(pattern))
  const save = () =>
    void never.set(text).then((kept) => {
      if (kept) setTyped(null)
    })
  return (
    <>
      <SettingRow title="Never keep" id="never-keep">
        <span id="never-about">
          Files that match a line, written as in a .gitignore, are not copied from their next change on. That they
          change is noted all the same, and a restore still keeps what it overwrites. What was kept before stays until
          its history is deleted.
        </span>
      </SettingRow>
      <div className="setting never">
        <textarea
          className="mono"
          rows={4}
          spellCheck={false}
          aria-labelledby="never-keep"
          aria-describedby="never-about"
          placeholder={'.env\n*.pem'}
          value={text}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="never-acts">
          <Button
            size="sm"
            kind="primary"
            disabledReason={never.busy ? 'being kept' : changed ? null : 'nothing changed'}
            onClick={save}
          >
            Save the list
          </Button>
          <Button
            size="sm"
            disabledReason={missing.length === 0 ? 'they are on the list' : null}
            onClick={() => setTyped([text.trimEnd(), ...missing].filter(Boolean).join('\n'))}
          >
            Add usual secrets
          </Button>
        </div>
        {never.error ? (
          <p className="small c-danger" role="alert">
            {never.error}
          </p>
        ) : null}
      </div>
    </>
  )
}
