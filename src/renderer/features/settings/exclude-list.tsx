/** Patterns of files whose contents are never stored. */
import { useState } from 'react'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { ExcludedCopiesPanel } from './excluded-copies-panel.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

const COMMON_SECRETS = [
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

export function ExcludeList() {
  const never = useSetting('capture.never')
  const list = useQuery('workspaces.list', {})
  const [typed, setTyped] = useState<string | null>(null)
  const [showCopies, setShowCopies] = useState(false)
  const text = typed ?? never.value ?? ''
  const changed = typed !== null && typed !== (never.value ?? '')
  const missing = COMMON_SECRETS.filter((pattern) => !text.split('\n').includes(pattern))
  const save = () =>
    void never.set(text).then((saved) => {
      if (!saved) return
      setTyped(null)
      // Earlier copies of these files are still stored: offer to delete them now.
      setShowCopies(text.trim() !== '')
    })
  return (
    <>
      <SettingRow title="Exclude list" id="exclude-list">
        <span id="never-about">
          Files that match a line (.gitignore syntax) are not copied from their next change on. Changes are still
          listed, and a restore still saves what it overwrites. Existing copies stay until you delete them.
        </span>
      </SettingRow>
      <div className="setting never">
        <textarea
          className="mono"
          rows={4}
          spellCheck={false}
          aria-labelledby="exclude-list"
          aria-describedby="never-about"
          placeholder={'.env\n*.pem'}
          value={text}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="never-acts">
          <Button
            size="sm"
            kind="primary"
            disabledReason={never.busy ? 'saving…' : changed ? null : 'no changes to save'}
            onClick={save}
          >
            Save list
          </Button>
          <Button
            size="sm"
            disabledReason={missing.length === 0 ? 'already on the list' : null}
            onClick={() => setTyped([text.trimEnd(), ...missing].filter(Boolean).join('\n'))}
          >
            Add common secrets
          </Button>
          <Button
            size="sm"
            data-forget
            aria-expanded={showCopies}
            disabledReason={
              changed ? 'save the list first' : text.trim() === '' ? 'the list is empty' : list.data ? null : 'loading…'
            }
            onClick={() => setShowCopies(!showCopies)}
          >
            Stored copies…
          </Button>
        </div>
        {never.error ? (
          <p className="small c-danger" role="alert">
            {never.error}
          </p>
        ) : null}
      </div>
      {showCopies && !changed && list.data ? (
        <ExcludedCopiesPanel
          folders={list.data.workspaces.map(({ id, name }) => ({ id, name }))}
          onClose={() => {
            setShowCopies(false)
            document.querySelector<HTMLElement>('[data-forget]')?.focus()
          }}
        />
      ) : null}
    </>
  )
}
