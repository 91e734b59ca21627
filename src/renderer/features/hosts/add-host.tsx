/** Adds a host: its name, the command that ends in a shell there, what happens meanwhile, and what to do when it fails. */
import { useEffect, useState } from 'react'
import { terminalCommand } from '../../../contract/words/hosts.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { commandWords } from '../../../contract/words/shell.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { durationText } from '../../../contract/words/times.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Inline } from '../../ui/message-text.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { AddHost, HostAdding } from './use-add-host.ts'

/** As the recorder checks it. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

function problemOf(name: string, words: readonly string[] | null): string | null {
  if (name === '') return 'enter a name first'
  if (!NAME.test(name))
    return 'a name has letters, digits, dots, hyphens and underscores, and begins with a letter or digit'
  if (words === null) return 'the command has an open quote'
  return words.length === 0 ? 'enter the command first' : null
}

export function AddHostForm({ adding }: { readonly adding: AddHost }) {
  const [name, setName] = useState('')
  const [line, setLine] = useState('')
  const words = commandWords(line)
  const problem = problemOf(name.trim(), words)
  const isBusy = adding.state.at === 'adding'
  const isAdded = adding.state.at === 'added'
  useEffect(() => {
    if (!isAdded) return
    setName('')
    setLine('')
  }, [isAdded])
  return (
    <form
      className="set host-form"
      aria-label="Add a host"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null && !isBusy) adding.add(name.trim(), words)
      }}
    >
      <div className="host-fields">
        <label className="host-name">
          <span className="set-title">Name</span>
          <span className="field">
            <input
              value={name}
              maxLength={63}
              placeholder="box"
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          </span>
        </label>
        <label className="host-command">
          <span className="set-title">Command that ends in a shell there</span>
          <span className="field">
            <input
              className="mono"
              value={line}
              maxLength={4000}
              placeholder="ssh box sh"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setLine(event.target.value)}
            />
          </span>
        </label>
        <Button kind="primary" type="submit" disabledReason={isBusy ? 'another host is being added' : problem}>
          Add host
        </Button>
      </div>
      <p className="small muted">
        Such as <code className="mono">ssh box sh</code>, <code className="mono">docker exec -i NAME sh</code>,{' '}
        <code className="mono">kubectl exec -i POD -- sh</code> or <code className="mono">wsl.exe -e sh</code>. It is
        run as it is written; Driftline keeps no keys and no passwords.
      </p>
    </form>
  )
}

/** How far it is, what came of it, or why it failed. */
export function HostAddingPanel({ adding, isLive }: { readonly adding: AddHost; readonly isLive: boolean }) {
  const { state } = adding
  switch (state.at) {
    case 'rest':
      return null
    case 'adding':
      return <Progress state={state} isLive={isLive} onCancel={() => adding.cancel(state.name)} />
    case 'added':
      return (
        <section className="set host-report" aria-label="Host added">
          <p>
            <b>{state.name}</b> is connected: Driftline {state.result.host.version},{' '}
            {plural(state.result.host.workspaces.length, 'recorded folder')}. In a shell there, Driftline is{' '}
            <code className="mono">{state.result.command}</code>.
          </p>
          <Button size="sm" onClick={adding.reset}>
            Close
          </Button>
        </section>
      )
    case 'failed':
      return <Failure state={state} adding={adding} />
  }
}

const STEPS = { connecting: 'Connecting', sending: 'Sending Driftline', starting: 'Starting Driftline there' } as const

interface ProgressProps {
  readonly state: Extract<HostAdding, { at: 'adding' }>
  readonly isLive: boolean
  readonly onCancel: () => void
}

function Progress({ state: { name, startedAt, progress }, isLive, onCancel }: ProgressProps) {
  const now = useNow(isLive ? 'second' : 'never')
  const { step = 'connecting', bytes = 0, printed = '' } = progress ?? {}
  const size = step === 'sending' ? `, ${formatBytes(bytes)}` : ''
  return (
    <section className="set host-report" aria-label={`Adding ${name}`} aria-busy="true">
      <p role="status">
        <b>{name}</b>: {STEPS[step]}
        {size}…
      </p>
      <span className="small muted num">{durationText(now - startedAt)}</span>
      <Button size="sm" onClick={onCancel}>
        Cancel
      </Button>
      <Printed text={printed} />
    </section>
  )
}

interface FailureProps {
  readonly state: Extract<HostAdding, { at: 'failed' }>
  readonly adding: AddHost
}

function Failure({ state: { name, command, error, printed }, adding }: FailureProps) {
  return (
    <section className="set host-report" data-tone="warn" aria-label={`Couldn’t add ${name}`}>
      <p>
        <Inline text={error.message} />
      </p>
      <Button size="sm" onClick={() => adding.add(name, command)}>
        Retry
      </Button>
      <Button size="sm" kind="ghost" onClick={adding.reset}>
        Close
      </Button>
      <Printed text={printed} />
      {error.code === 'HostUnreachable' && command !== null ? <InTerminal name={name} command={command} /> : null}
    </section>
  )
}

/** Output of the command, as it is. */
export function Printed({ text }: { readonly text: string }) {
  if (text.trim() === '') return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard.
    <section className="host-printed" aria-label="Output of the command" tabIndex={0}>
      <pre className="mono">{text.trim()}</pre>
    </section>
  )
}

/** A window cannot answer what a command asks: host keys, passwords, codes. */
export function InTerminal({ name, command }: { readonly name: string; readonly command: readonly string[] }) {
  const line = terminalCommand({ name, command })
  return (
    <div className="host-terminal">
      <p className="small muted">If the command asks for something, answer it in a terminal of this computer:</p>
      <code className="mono">{line}</code>
      <CopyButton label="Copy" text={line} />
    </div>
  )
}
