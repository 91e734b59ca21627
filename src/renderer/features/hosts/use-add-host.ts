/**
 * Adding a host, and bringing one up to date, which is the same.
 *
 *   rest --add--> adding --done--> added     adding --failed, cancelled--> failed --add, reset--> adding, rest
 */
import { useCallback, useEffect, useState } from 'react'
import type { EngineEvents, Result } from '../../../contract/api.ts'
import { type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import { useDriftline } from '../../client/context.tsx'
import { announce } from '../../ui/live-region.tsx'

export type HostAdding =
  | { readonly at: 'rest' }
  | {
      readonly at: 'adding'
      readonly name: string
      readonly startedAt: number
      readonly progress: EngineEvents['hosts.progress'] | null
    }
  | { readonly at: 'added'; readonly name: string; readonly result: Result<'hosts.add'> }
  | {
      readonly at: 'failed'
      readonly name: string
      /** As it was given; null for a host that is known. */
      readonly command: readonly string[] | null
      readonly error: ErrorShape
      readonly printed: string
    }

export type AddHost = ReturnType<typeof useAddHost>

export function useAddHost() {
  const { client } = useDriftline().here
  const [state, setState] = useState<HostAdding>({ at: 'rest' })
  useEffect(
    () =>
      client.on('hosts.progress', (progress) =>
        setState((now) => (now.at === 'adding' && now.name === progress.name ? { ...now, progress } : now))
      ),
    [client]
  )
  const add = useCallback(
    async (name: string, command: readonly string[] | null) => {
      setState({ at: 'adding', name, startedAt: Date.now(), progress: null })
      try {
        const result = await client.call('hosts.add', { name, ...(command === null ? {} : { command }) })
        setState({ at: 'added', name, result })
        announce(`Added ${name}.`)
      } catch (thrown) {
        const error = toErrorShape(thrown)
        announce(error.message, 'assertive')
        setState((now) => {
          const printed = now.at === 'adding' ? (now.progress?.printed ?? '') : ''
          return error.code === 'Cancelled' ? { at: 'rest' } : { at: 'failed', name, command, error, printed }
        })
      }
    },
    [client]
  )
  return {
    state,
    add: (name: string, command: readonly string[] | null) => void add(name, command),
    cancel: (name: string) => {
      client.call('hosts.cancel', { name }).catch(() => {
        // Disconnected: then the attempt fails with that, too.
      })
    },
    reset: () => setState({ at: 'rest' })
  }
}
