/** Automatic backups: where to, with which password, and how the last one ended. */
import { useState } from 'react'
import { backupText, isBackupFailing } from '../../../contract/words/backup.ts'
import { MEANINGS } from '../../../contract/words/settings.ts'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

export function BackupSettings() {
  const { data } = useQuery('host.state', {})
  return (
    <>
      <h2 className="label settings-label">Backup</h2>
      <div className="set">
        <TextRow setting="backup.repository" title="Repository" placeholder="sftp:nas:/backups/driftline" />
        <TextRow setting="backup.password-file" title="Password file" placeholder="/home/me/.config/restic-password" />
        <TextRow setting="backup.interval" title="Minutes between backups" placeholder="0" />
        {data?.backup ? (
          <SettingRow title="Last backup">
            <span className={isBackupFailing(data.backup) ? 'c-warn' : undefined}>
              {backupText(data.backup, Date.now())}
            </span>
          </SettingRow>
        ) : null}
      </div>
    </>
  )
}

interface TextRowProps {
  readonly setting: 'backup.repository' | 'backup.password-file' | 'backup.interval'
  readonly title: string
  readonly placeholder: string
}

function TextRow({ setting, title, placeholder }: TextRowProps) {
  const { value, busy, error, set } = useSetting(setting)
  const [typed, setTyped] = useState<string | null>(null)
  const save = async (): Promise<void> => {
    if (typed !== null && (await set(typed.trim()))) setTyped(null)
  }
  return (
    <SettingRow
      title={title}
      control={
        <form
          className="backup-form"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <span className="field backup-field">
            <input
              aria-label={title}
              placeholder={placeholder}
              spellCheck={false}
              autoComplete="off"
              value={typed ?? value ?? ''}
              onChange={(event) => setTyped(event.target.value)}
            />
          </span>
          {typed !== null && typed.trim() !== value ? (
            <Button size="sm" disabledReason={busy ? 'saving' : null} onClick={() => void save()}>
              Save
            </Button>
          ) : null}
        </form>
      }
    >
      {error ?? MEANINGS[setting]}
    </SettingRow>
  )
}
