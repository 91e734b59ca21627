/** Provides the connection and the query cache to all components. */
import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import type { Client } from '../../contract/api.ts'
import type { Connection, ConnectionState } from './connection.ts'
import type { Platform } from './platform.ts'
import { createQueries, type Queries } from './queries.ts'

interface Driftline {
  readonly client: Client
  readonly connection: Connection
  readonly queries: Queries
  readonly platform: Platform
}

const Context = createContext<Driftline | null>(null)

interface ProviderProps {
  readonly connection: Connection
  readonly platform: Platform
  readonly children: ReactNode
}

export function DriftlineProvider({ connection, platform, children }: ProviderProps) {
  const [value] = useState(() => ({
    client: connection.client,
    connection,
    queries: createQueries(connection),
    platform
  }))
  return (
    <QueryClientProvider client={value.queries.cache}>
      <Context value={value}>{children}</Context>
    </QueryClientProvider>
  )
}

/** Throws outside the provider. */
export function useDriftline(): Driftline {
  const value = useContext(Context)
  if (!value) throw new Error('useDriftline needs a DriftlineProvider above it')
  return value
}

export function useConnectionState(): ConnectionState {
  const { connection } = useDriftline()
  return useSyncExternalStore(connection.subscribe, connection.state)
}
