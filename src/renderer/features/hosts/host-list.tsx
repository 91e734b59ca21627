/** The hosts with their state, and what can be done with each. */
import { useState } from 'react'
import type { HostPlace } from '../../../contract/hosts.ts'
import { clockText, hostStateText, lastReachedText } from '../../../contract/words/hosts.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { capitalized } from '../../../contract/words/text.ts'
import { useDriftline } from '../../client/context.tsx'
import { useTask } from '../../client/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, requireText, TextDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { Inline } from '../../ui/message-text.tsx'
import { useNow } from '../../ui/use-now.ts'
import { InTerminal, Printed } from './add-host.tsx'
import type { AddHost } from './use-add-host.ts'

interface HostListProps {
  readonly hosts: readonly HostPlace[]
  readonly adding: AddHost
  /** Shows a folder. */
  readonly onOpen: (workspace: string) => void
}

type HostDialog = { readonly kind: 'remove' | 'folder'; readonly host: HostPlace }

export function HostList({ hosts, adding, onOpen }: HostListProps) {
  const [dialog, setDialog] = useState<HostDialog | null>(null)
  const close = () => setDialog(null)
  if (hosts.length === 0) return null
  return (
    <>
      <ul className="set" aria-label="Hosts">
        {hosts.map((host) => (
          <HostRow key={host.name} host={host} adding={adding} onDialog={(kind) => setDialog({ kind, host })} />
        ))}
      </ul>
      {dialog?.kind === 'remove' ? <RemoveDialog host={dialog.host} onClose={close} /> : null}
      {dialog?.kind === 'folder' ? <FolderDialog host={dialog.host} onAdded={onOpen} onClose={close} /> : null}
    </>
  )
}

const LEDS = { connected: 'ok', connecting: '', idle: '', unreachable: 'off', 'needs-update': 'warn', damaged: 'warn' }

interface HostRowProps {
  readonly host: HostPlace
  readonly adding: AddHost
  readonly onDialog: (kind: HostDialog['kind']) => void
}

function HostRow({ host, adding, onDialog }: HostRowProps) {
  const { name, phase, command, version, reason, printed, workspaces } = host
  const { client } = useDriftline().here
  const [problems, setProblems] = useState<readonly string[] | null>(null)
  const check = useTask()
  const now = useNow('minute')
  const isConnected = phase === 'connected'
  const away = isConnected ? null : `${name} is not connected`
  const busy = adding.state.at === 'adding' ? 'another host is being added' : null
  // The phase of the host says why it failed.
  const retry = () => void client.call('hosts.connect', { name }).catch(() => {})
  const findProblems = () =>
    check.run(async () => {
      setProblems(null)
      setProblems((await client.call('hosts.check', { name })).problems)
    })
  return (
    <li className="setting host">
      <div className="grow host-text">
        <p className="set-title host-title">
          <span className="led" data-tone={LEDS[phase]} />
          {name}
        </p>
        <p className="set-about host-facts">
          {[
            capitalized(hostStateText(host, now)),
            phase === 'damaged' ? '' : lastReachedText(host, now),
            version === '' ? '' : `Driftline ${version}`,
            plural(workspaces.length, 'recorded folder'),
            clockText(host.clock, -new Date(now).getTimezoneOffset())
          ]
            .filter(Boolean)
            .map((fact) => (
              <span key={fact}>{fact} </span>
            ))}
        </p>
        <p className="set-about mono cap host-line">{command.join(' ')}</p>
      </div>
      {phase === 'needs-update' && host.outdated === 'far' ? (
        <Button size="sm" kind="primary" disabledReason={busy} onClick={() => adding.add(name, null)}>
          Update
        </Button>
      ) : null}
      {phase === 'unreachable' ? (
        <Button size="sm" onClick={retry}>
          Retry
        </Button>
      ) : null}
      {isConnected ? (
        <Button size="sm" onClick={() => onDialog('folder')}>
          Record a folder…
        </Button>
      ) : null}
      <MenuButton
        label={`More actions for ${name}`}
        align="right"
        items={[
          { id: 'check', label: 'Check for problems', icon: 'shield', disabled: away, run: () => void findProblems() },
          {
            id: 'update',
            label: 'Update Driftline there',
            icon: 'up',
            disabled: busy,
            run: () => adding.add(name, null)
          },
          'separator',
          { id: 'remove', label: 'Remove…', icon: 'trash', run: () => onDialog('remove') }
        ]}
      >
        <Icon name="more" />
      </MenuButton>
      <HostProblems host={host} problems={problems} checking={check.busy} failed={check.problem} />
      {reason === '' || isConnected ? null : (
        <div className="host-reason">
          <p className="small">
            <Inline text={reason} />
          </p>
          <Printed text={printed} />
          {phase === 'unreachable' ? <InTerminal name={name} command={command} /> : null}
        </div>
      )}
    </li>
  )
}

interface HostProblemsProps {
  readonly host: HostPlace
  readonly problems: readonly string[] | null
  readonly checking: boolean
  readonly failed: string | null
}

function HostProblems({ host, problems, checking, failed }: HostProblemsProps) {
  if (checking) return <p className="small muted host-reason">Checking {host.name}…</p>
  if (failed !== null) return <p className="small c-danger host-reason">{failed}</p>
  if (problems === null) return null
  return (
    <div className="host-reason small" role="status">
      {problems.length === 0 ? <p>No problems.</p> : null}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  )
}

function RemoveDialog({ host: { name }, onClose }: { readonly host: HostPlace; readonly onClose: () => void }) {
  const { client } = useDriftline().here
  const { problem, run } = useTask()
  return (
    <ConfirmDialog
      title={`Remove ${name} from this computer?`}
      confirmLabel="Remove host"
      problem={problem}
      onConfirm={() => void run(() => client.call('hosts.remove', { name }).then(onClose))}
      onClose={onClose}
    >
      <p>
        The host and what was last shown of it are removed here. On {name} nothing changes: its folders are still
        recorded there.
      </p>
    </ConfirmDialog>
  )
}

interface FolderDialogProps {
  readonly host: HostPlace
  readonly onAdded: (workspace: string) => void
  readonly onClose: () => void
}

/** [RH-6] Records a folder of the host; its path is one there. */
function FolderDialog({ host: { name }, onAdded, onClose }: FolderDialogProps) {
  const { client } = useDriftline().here
  const { problem, run } = useTask()
  const record = async (folder: string) => {
    const { workspace } = await client.call('workspaces.add', { folder, wait: false }, name)
    onClose()
    onAdded(workspace.id)
  }
  return (
    <TextDialog
      title={`Record a folder on ${name}`}
      text={`Its history is stored on ${name}, where the folder is.`}
      label={`Folder on ${name}`}
      placeholder="/home/me/project"
      confirmLabel="Record"
      invalidReason={(value) => requireText(value) ?? (/^(\/|~)/.test(value) ? null : 'enter its absolute path there')}
      problem={problem}
      onConfirm={(folder) => void run(() => record(folder))}
      onClose={onClose}
    />
  )
}
