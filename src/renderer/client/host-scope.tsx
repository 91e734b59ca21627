/**
 * A part of the page that shows another machine. Panes below it ask as they always do: what names a workspace goes to its
 * host by that, everything else to the host of this scope.
 */
import { type ReactNode, useMemo } from 'react'
import type { Client } from '../../contract/api.ts'
import type { Connection } from './connection.ts'
import { DriftlineContext, useDriftline } from './context.tsx'
import type { Platform } from './platform.ts'
import { useQuery } from './use-query.ts'

/** `host` null: this computer. */
export function HostScope({ host, children }: { readonly host: string | null; readonly children: ReactNode }) {
  const { here } = useDriftline()
  const { connection, platform } = here
  const place = useQuery('hosts.list', host === null ? null : {}, { here: true }).data?.hosts.find(
    ({ name }) => name === host
  )
  const away = place && place.phase !== 'connected' ? place : null
  const parts = useMemo(
    () =>
      host === null
        ? {}
        : {
            host,
            client: clientOf(connection.client, host),
            connection: connectionOf(connection, host),
            platform: platformOf(platform)
          },
    [host, connection, platform]
  )
  const value = useMemo(() => ({ ...here, ...parts, here, away }), [here, parts, away])
  return <DriftlineContext value={value}>{children}</DriftlineContext>
}

function clientOf({ call, on }: Client, host: string): Client {
  return { on, call: (method, params) => ('workspace' in params ? call(method, params) : call(method, params, host)) }
}

/** `retry` tries to reach the host, too. */
function connectionOf(connection: Connection, host: string): Connection {
  return {
    ...connection,
    retry: () => {
      connection.retry()
      connection.client.call('hosts.connect', { name: host }).catch(() => {
        // Disconnected: the state of the connection shows it. UnknownTarget: the host was removed.
      })
    }
  }
}

/** Without the system's dialogs, which show the files of this computer. */
function platformOf({ chooseFolder: _choose, reveal: _reveal, dragFiles: _drag, ...platform }: Platform): Platform {
  return platform
}
