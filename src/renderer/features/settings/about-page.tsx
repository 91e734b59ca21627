/** Version and licence, and the check of the stored data. */

import { plural } from '../../../contract/words/numbers.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/meter.tsx'
import type { PageProps } from './page-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useDataCheck } from './use-data-check.ts'

const HOSTS = { electron: 'the desktop app', server: 'driftline serve', cli: 'the command line' } as const

export function AboutPage({ version, home, workspaces }: PageProps) {
  const info = useQuery('app.info', {})
  const check = useDataCheck()
  const { host, platform, pid } = info.data ?? { host: 'server' as const, platform: '', pid: 0 }
  const facts = `Driftline ${version}, ${host} on ${platform}`
  return (
    <>
      <h1>About</h1>
      <p className="muted">The undo timeline for coding agents.</p>
      <div className="set">
        <SettingRow title={`Driftline ${version}`} control={<CopyButton label="Copy" text={facts} />}>
          Recorded by {HOSTS[host]}, process {pid}, on {platform}.
        </SettingRow>
        <SettingRow title="Licence">MIT licensed. Third-party notices are included.</SettingRow>
        <SettingRow
          title="Check data"
          control={
            check.running ? (
              <Button size="sm" onClick={check.stop}>
                Stop
              </Button>
            ) : (
              <Button
                size="sm"
                disabledReason={workspaces.length === 0 ? 'nothing is recorded yet' : null}
                onClick={() => check.start(workspaces)}
              >
                {check.result ? 'Check again' : 'Check data'}
              </Button>
            )
          }
        >
          Verifies the checksum of all stored content and the consistency of the log. Nothing is changed.
        </SettingRow>
        {check.running || check.result ? (
          <div className="setting check-result" role="status">
            {check.running ? (
              <div className="grow">
                <p className="d">
                  Checking {check.running.name}, {check.running.at} of {check.running.of}…
                </p>
                <Meter label="Data check" value={check.running.at - 1} max={check.running.of} />
              </div>
            ) : check.result ? (
              <div className="grow">
                <p className={check.result.problems.length > 0 ? 'n c-danger' : 'n c-ok'}>
                  <Icon name={check.result.problems.length > 0 ? 'warn' : 'check'} size="s" />
                  {check.result.problems.length > 0
                    ? plural(check.result.problems.length, 'problem')
                    : `No problems: ${plural(check.result.folders, 'folder')} checked.`}
                </p>
                <ul className="plain">
                  {check.result.problems.map(({ workspace, code, message }) => (
                    <li key={workspace + code + message}>
                      <b>{shortPath(workspace, home)}</b>: {message}
                    </li>
                  ))}
                </ul>
              </div>
            ) : null}
          </div>
        ) : null}
      </div>
    </>
  )
}
