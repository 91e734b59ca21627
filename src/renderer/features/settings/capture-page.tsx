/** What is stored and what is excluded. */
import { useState } from 'react'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { ExcludedCopiesPanel } from './excluded-copies-panel.tsx'
import { ExcludedPaths } from './excluded-paths.tsx'
import { GitSettings } from './git-settings.tsx'
import type { PageProps } from './page-props.ts'
import { SettingRow } from './setting-row.tsx'
import { CAPTURE_LIMIT, PRE_RUN_DRIFT, StoredRow } from './settings-table.tsx'
import { useSetting } from './use-setting.ts'

export function CapturePage({ workspace }: PageProps) {
  return (
    <>
      <h1>Capture</h1>
      <p className="muted">
        Every file in a recorded folder is copied when it changes. Excluded files are listed with the reason.
      </p>
      <div className="set">
        <StoredRow setting={CAPTURE_LIMIT} />
        <SettingRow title="Ignored folders">
          Folders that git ignores, and folders such as node_modules, are excluded. Ignored files outside them are
          stored up to 5 MB. A file that an agent names before writing is always stored.
        </SettingRow>
        <ExcludeList />
        <StoredRow setting={PRE_RUN_DRIFT} />
      </div>
      <GitSettings workspace={workspace} />
      {workspace ? <ExcludedPaths workspace={workspace.id} name={workspace.name} /> : null}
    </>
  )
}

/** Patterns of files whose contents are never stored. */
function ExcludeList() {
  const never = useSetting('capture.never')
  const list = useQuery('workspaces.list', {})
  const [typed, setTyped] = useState<string | null>(null)
  const [showCopies, setShowCopies] = useState(false)
  const saved = never.value ?? ''
  const text = typed ?? saved
  const changed = text !== saved
  const empty = text.trim() === ''
  const save = async () => {
    if (!(await never.set(text))) return
    setTyped(null)
    // Earlier copies of these files are still stored: offer to delete them now.
    setShowCopies(!empty)
  }
  return (
    <>
      <ExcludeListText />
      <div className="setting never">
        <textarea
          className="text-field mono"
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
            disabledReason={never.busy ? 'saving…' : changed ? null : 'no changes to save'}
            onClick={() => void save()}
          >
            Save list
          </Button>
          <CommonSecretsButton text={text} onAdd={setTyped} />
          <Button
            size="sm"
            data-forget
            aria-expanded={showCopies}
            disabledReason={
              changed ? 'save the list first' : empty ? 'the list is empty' : list.data ? null : 'loading…'
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
          key={list.data.workspaces.map(({ id }) => id).join()}
          folders={list.data.workspaces}
          onClose={() => {
            setShowCopies(false)
            document.querySelector<HTMLElement>('[data-forget]')?.focus()
          }}
        />
      ) : null}
    </>
  )
}

const COMMON_SECRETS = '.env .env.* !.env.example *.pem *.key *.p12 id_rsa id_ed25519 .npmrc .netrc'.split(' ')

function ExcludeListText() {
  return (
    <SettingRow title="Exclude list" id="exclude-list">
      <span id="never-about">
        Files that match a line (.gitignore syntax) are no longer copied; their changes are still listed. A restore
        still saves what it overwrites. Existing copies stay until you delete them.
      </span>
    </SettingRow>
  )
}

interface CommonSecretsButtonProps {
  /** The list as typed, a pattern a line. */
  readonly text: string
  readonly onAdd: (text: string) => void
}

/** Adds the patterns of common secrets that are not on the list. */
function CommonSecretsButton({ text, onAdd }: CommonSecretsButtonProps) {
  const missing = COMMON_SECRETS.filter((pattern) => !text.split('\n').includes(pattern))
  return (
    <Button
      size="sm"
      disabledReason={missing.length === 0 ? 'already on the list' : null}
      onClick={() => onAdd([text.trimEnd(), ...missing].filter(Boolean).join('\n'))}
    >
      Add common secrets
    </Button>
  )
}
