/** Hosts of the gallery, one in each state that people meet. */
import type { Method, Params, Result } from '../../src/contract/api.ts'
import { DriftlineError } from '../../src/contract/errors.ts'
import { type HostPlace, idOnHost } from '../../src/contract/hosts.ts'
import type { WorkspaceSummary } from '../../src/contract/workspace.ts'
import { at, SHOP, type Variant } from './scene.ts'

type Handlers = { readonly [M in Method]?: (params: Params<M>) => Result<M> }

const PRINTED = `The authenticity of host 'box (192.0.2.17)' can't be established.
ED25519 key fingerprint is SHA256:Yb2Uq8J5fRrVd0tqkz3Qh1nWmZ4aB7cXe9sTgLpOiKj.
Host key verification failed.`

const place = (name: string, more: Partial<HostPlace>): HostPlace => ({
  name,
  command: ['ssh', name, 'sh'],
  phase: 'connected',
  since: at(9, 12),
  lastSeenAt: at(14, 31),
  reason: '',
  printed: '',
  outdated: null,
  version: '0.1.0',
  clock: { utcOffset: -new Date().getTimezoneOffset(), ahead: 12 },
  workspaces: [],
  ...more
})

/** `folders`: those of this computer, which the hosts have, too. */
export function hostsOf(variant: Variant, folders: readonly WorkspaceSummary[]): readonly HostPlace[] {
  const isShown = ['hosts', 'host-away', 'today', 'settings-hosts'].includes(variant)
  if (!isShown) return []
  const on = (host: string, names: readonly string[]): WorkspaceSummary[] =>
    [...folders.filter(({ id }) => id === SHOP.id), ...folders.filter(({ id }) => id !== SHOP.id)]
      .slice(0, names.length)
      .map((folder, i) => ({
        ...folder,
        live: false,
        id: idOnHost(host, folder.id),
        root: `/home/me/${names[i]}`,
        name: names[i] ?? '',
        folder: 'present'
      }))
  return [
    place('box', {
      ...(variant === 'host-away'
        ? {
            phase: 'unreachable',
            since: Date.now() - 1_200_000,
            lastSeenAt: Date.now() - 1_260_000,
            reason: 'The connection to box was lost.'
          }
        : {}),
      workspaces: on('box', ['shop-api', 'billing'])
    }),
    place('ci-runner.eu', {
      command: ['docker', 'exec', '-i', 'ci-runner', 'sh'],
      phase: 'unreachable',
      since: at(13, 40),
      lastSeenAt: at(13, 39),
      reason:
        'Couldn’t reach ci-runner.eu: `docker exec -i ci-runner sh` gave no connection (exit code 1). Nothing was changed there. The command must end in a shell on that machine and must not open a terminal; try it in a terminal.',
      printed: 'Error response from daemon: No such container: ci-runner',
      clock: { utcOffset: -300, ahead: 192_000 },
      workspaces: on('ci-runner.eu', ['<b>shop</b>-api'])
    }),
    place('old', {
      phase: 'needs-update',
      outdated: 'far',
      version: '0.0.9',
      reason:
        'old runs Driftline 0.0.9 and this computer 0.1.0, which do not understand each other. Nothing was changed. `driftline hosts add old` brings old up to date.'
    })
  ]
}

export const HOST_ANSWERS: Handlers = {
  'hosts.check': () => ({ problems: [] }),
  'hosts.connect': () => ({}),
  'hosts.remove': () => ({}),
  'hosts.cancel': () => ({})
}

/** A host whose command asks something that only a terminal can answer. */
export function failToAdd(
  { name }: Params<'hosts.add'>,
  emit: (event: string, payload: unknown) => void
): Result<'hosts.add'> {
  emit('hosts.progress', { name, step: 'connecting', bytes: 0, printed: PRINTED })
  throw new DriftlineError(
    'HostUnreachable',
    `Couldn’t reach ${name}: \`ssh ${name} sh\` gave no connection (exit code 255). Nothing was changed there. The command must end in a shell on that machine and must not open a terminal; try it in a terminal.`,
    { host: name }
  )
}

export const AWAY_SHOP = idOnHost('box', SHOP.id)
