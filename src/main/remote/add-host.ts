/** Adds hosts from the window, and brings them up to date: the same as `driftline hosts add`, with progress and an end. */
import type { EngineEvents, EventName, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { buildIdOf } from './build.ts'
import { checkHostName, findHostNamed, type RemoteHost } from './host-files.ts'
import { installBuild } from './installation.ts'
import { createRelayedHost, type RelayedHost } from './relayed-host.ts'

interface HostAdderOptions {
  readonly root: string
  readonly surroundings: Parameters<typeof createRelayedHost>[1]
  /** The hosts of the relay; one that was added is put there. */
  readonly hosts: Map<string, RelayedHost>
  readonly emit: <E extends EventName>(event: E, payload: EngineEvents[E]) => void
  /** An attempt ended: what is stored about the host counts again, if it failed. */
  readonly onEnded: () => void
}

/** Between two reports of what the command printed, ms. */
const PROGRESS_PAUSE_MS = 100

export function createHostAdder({ root, surroundings, hosts, emit, onEnded }: HostAdderOptions) {
  const { dataDir } = surroundings
  const adding = new Map<string, AbortController>()

  const connect = async (host: RelayedHost, next: RemoteHost, signal: AbortSignal): Promise<void> => {
    const { name, build: id } = next
    const report = createReport(name, emit)
    await host
      .openAs(next, {
        isNew: true,
        signal,
        onPrinted: (printed) => report({ printed }),
        decide: async (facts) => {
          const answer = await installBuild(name, facts, {
            root,
            id,
            onSend: (bytes) => report({ step: 'sending', bytes })
          })
          if ('run' in answer) report({ step: 'starting' })
          return answer
        }
      })
      .finally(report.end)
  }

  return {
    isAdding: (name: string): boolean => adding.has(name),
    async add({ name, command: given }: Params<'hosts.add'>): Promise<Result<'hosts.add'>> {
      checkHostName(name)
      if (adding.has(name))
        throw new DriftlineError('Refused', `${name} is being added already. Nothing was changed. Cancel that first.`)
      const known = findHostNamed(dataDir, name)
      const command = given ?? known?.command
      if (command === undefined)
        throw new DriftlineError('Usage', `Name the command that ends in a shell on ${name}. Nothing was changed.`)
      const unseen = { version: '', state: 'out-of-reach', lastSeenAt: 0, workspaces: [] } as const
      const next: RemoteHost = { ...(known ?? unseen), name, command, build: buildIdOf(root) }
      const host = hosts.get(name) ?? createRelayedHost(next, surroundings)
      const abort = new AbortController()
      adding.set(name, abort)
      try {
        await connect(host, next, abort.signal)
        hosts.set(name, host)
        const { command: there } = await host.client().call('app.command', {})
        return { host: host.place(), command: String(there) }
      } catch (error) {
        if (!hosts.has(name)) host.close()
        if (abort.signal.aborted) throw cancelled(name)
        throw error
      } finally {
        adding.delete(name)
        onEnded()
        surroundings.changed()
      }
    },
    cancel: (name: string): void => adding.get(name)?.abort('it was cancelled'),
    close(): void {
      for (const abort of adding.values()) abort.abort('Driftline ends')
    }
  }
}

function cancelled(name: string): DriftlineError {
  return new DriftlineError('Cancelled', `Adding ${name} was cancelled. What was there before is unchanged.`, {
    host: name
  })
}

/** Reports progress at most every 100 ms, the last one always. */
function createReport(name: string, emit: HostAdderOptions['emit']) {
  let progress: EngineEvents['hosts.progress'] = { name, step: 'connecting', bytes: 0, printed: '' }
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = (): void => {
    timer = undefined
    emit('hosts.progress', progress)
  }
  const report = (change: Partial<typeof progress>): void => {
    progress = { ...progress, ...change }
    timer ??= setTimeout(send, PROGRESS_PAUSE_MS)
  }
  const end = (): void => {
    if (timer === undefined) return
    clearTimeout(timer)
    send()
  }
  return Object.assign(report, { end })
}
