/** Version and licence, and the check of the stored data. */
import { useRef, useState } from 'react'
import type { DoctorProblem } from '../../../contract/doctor.ts'
import { toErrorShape } from '../../../contract/errors.ts'
import { doctorText } from '../../../contract/words/doctor.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/meter.tsx'
import type { PageProps } from './page-props.ts'
import { SettingRow } from './setting-row.tsx'

const HOSTS = {
  electron: 'the desktop app',
  server: 'driftline serve',
  background: 'the recorder in the background',
  cli: 'the command line'
} as const

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }

export function AboutPage({ workspaces }: PageProps) {
  const info = useQuery('app.info', {}, { once: true })
  const check = useDataCheck()
  const { version = '', home = '', host = 'server', platform = '', pid = 0 } = info.data ?? {}
  const facts = `Driftline ${version}, ${host} on ${platform}`
  return (
    <>
      <h1>About</h1>
      <p className="muted">The undo timeline for coding agents.</p>
      <div className="set">
        <SettingRow title={`Driftline ${version}`} control={<CopyButton label="Copy" text={facts} />}>
          Recorded by {HOSTS[host]}, process {pid}, on {SYSTEMS[platform] ?? platform}.
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
                onClick={() => void check.start(workspaces)}
              >
                {check.result ? 'Check again' : 'Check data'}
              </Button>
            )
          }
        >
          Verifies the checksum of all stored content and the consistency of the log. Nothing is changed.
        </SettingRow>
        <CheckResult {...check} home={home} />
      </div>
    </>
  )
}

function CheckResult({ running, result, home }: ReturnType<typeof useDataCheck> & { readonly home: string }) {
  if (running) {
    return (
      <div className="setting check-result" role="status">
        <div className="grow setting-text">
          <p className="set-about">
            Checking {running.name}, {running.at} of {running.of}…
          </p>
          <Meter label="Data check" value={running.at - 1} max={running.of} />
        </div>
      </div>
    )
  }
  if (!result) return null
  const { folders, problems } = result
  const sound = problems.length === 0
  return (
    <div className="setting check-result" role="status">
      <div className="grow setting-text">
        <p className={sound ? 'set-title c-ok' : 'set-title c-danger'}>
          <Icon name={sound ? 'check' : 'warn'} size="s" />
          {sound ? `No problems: ${plural(folders, 'folder')} checked.` : plural(problems.length, 'problem')}
        </p>
        <ul className="bullets">
          {problems.map((problem) => (
            <li key={problem.workspace + doctorText(problem)}>
              <b>{shortPath(problem.workspace, home)}</b>: {doctorText(problem)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Checks the stored data of each workspace in turn, with progress and a way to stop. */
function useDataCheck() {
  const { client } = useDriftline()
  /** The workspace being checked; `at` starts at 1. */
  const [running, setRunning] = useState<{ readonly name: string; readonly at: number; readonly of: number } | null>(
    null
  )
  const [result, setResult] = useState<{
    readonly folders: number
    readonly problems: readonly DoctorProblem[]
  } | null>(null)
  const stopped = useRef(false)
  const start = async (workspaces: readonly Workspace[]): Promise<void> => {
    stopped.current = false
    setResult(null)
    const problems: DoctorProblem[] = []
    let folders = 0
    for (const { id, name, root } of workspaces) {
      if (stopped.current) break
      setRunning({ name, at: folders + 1, of: workspaces.length })
      try {
        problems.push(...(await client.call('doctor.run', { workspace: id, deep: true })).problems)
      } catch (thrown) {
        const { code, message } = toErrorShape(thrown)
        problems.push({ workspace: root, code: 'Unopened', error: code, message })
      }
      folders++
    }
    setRunning(null)
    setResult({ folders, problems })
  }
  /** Stops after the current workspace. */
  const stop = () => {
    stopped.current = true
  }
  return { running, result, start, stop }
}
