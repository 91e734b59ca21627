/** Provides the connection and the query cache to all components. */
import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react'
import type { Client } from '../../contract/api.ts'
import type { HostPlace } from '../../contract/hosts.ts'
import type { Connection, ConnectionState } from './connection.ts'
import type { Platform } from './platform.ts'
import { createQueries, type Queries } from './queries.ts'

interface Driftline {
  /** Asks the engine of the machine that this part of the page shows. */
  readonly client: Client
  readonly connection: Connection
  readonly queries: Queries
  readonly platform: Platform
  /** The other machine that this part of the page shows (host-scope.tsx); null: this computer. */
  readonly host: string | null
  /** What it is, while it does not answer. */
  readonly away: HostPlace | null
  /** The same for this computer. */
  readonly here: Driftline
}

export const DriftlineContext = createContext<Driftline | null>(null)

interface ProviderProps {
  readonly connection: Connection
  readonly platform: Platform
  readonly children: ReactNode
}

export function DriftlineProvider({ connection, platform, children }: ProviderProps) {
  const [value] = useState((): Driftline => {
    const { client } = connection
    return {
      client,
      connection,
      queries: createQueries(connection),
      platform,
      host: null,
      away: null,
      get here() {
        return this
      }
    }
  })
  return (
    <QueryClientProvider client={value.queries.cache}>
      <DriftlineContext value={value}>{children}</DriftlineContext>
    </QueryClientProvider>
  )
}

/** Throws outside the provider. */
export function useDriftline(): Driftline {
  const value = useContext(DriftlineContext)
  if (!value) throw new Error('useDriftline needs a DriftlineProvider above it')
  return value
}

/** Of the machine that this part of the page shows: the connection to the recorder here, and from there to the host. */
export function useConnectionState(): ConnectionState {
  const { connection, away } = useDriftline()
  const state = useSyncExternalStore(connection.subscribe, connection.state)
  return useMemo(
    () =>
      away === null || state.phase !== 'open'
        ? state
        : { ...state, phase: 'waiting', downSince: away.since, lastContact: away.lastSeenAt, away },
    [state, away]
  )
}
