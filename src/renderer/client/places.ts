/** The recorded folders of this computer and of all hosts. */
import { useMemo } from 'react'
import type { ErrorShape } from '../../contract/errors.ts'
import type { HostPlace } from '../../contract/hosts.ts'
import type { Workspace, WorkspaceSummary } from '../../contract/workspace.ts'
import { useQuery } from './use-query.ts'

export interface Places {
  /** Of this computer; null while they are loading. */
  readonly local: readonly WorkspaceSummary[] | null
  readonly hosts: readonly HostPlace[]
  /** Of this computer and of the hosts. */
  readonly all: readonly WorkspaceSummary[]
  /** Open reviews of bundles, of this computer. */
  readonly reviews: readonly Workspace[]
  /** Whether both lists are there. */
  readonly isLoaded: boolean
  /** Why the folders of this computer are not. */
  readonly error: ErrorShape | null
}

const NO_HOSTS: readonly HostPlace[] = []
const NO_REVIEWS: readonly Workspace[] = []

export function usePlaces(): Places {
  const list = useQuery('workspaces.list', {}, { here: true })
  const hostList = useQuery('hosts.list', {}, { here: true })
  const { error } = list
  const local = list.data?.workspaces ?? null
  const hosts = hostList.data?.hosts ?? NO_HOSTS
  const reviews = list.data?.bundles ?? NO_REVIEWS
  const isLoaded = local !== null && (hostList.data !== null || hostList.error !== null)
  return useMemo(
    () => ({
      local,
      hosts,
      isLoaded,
      error,
      reviews,
      all: [...(local ?? []), ...hosts.flatMap(({ workspaces }) => workspaces)]
    }),
    [local, hosts, isLoaded, error, reviews]
  )
}
