/** One of the engine's settings: its value, and changing it, which may take a while and may be refused. */
import { useEffect, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'

export interface Setting {
  /** "" when nothing was chosen; null while it is read. */
  readonly value: string | null
  readonly busy: boolean
  /** Why the last change was refused. */
  readonly error: string | null
  /** Resolves true once it is kept and holds. */
  set(value: string): Promise<boolean>
}

export function useSetting(key: string): Setting {
  const { client } = useDriftline()
  const kept = useQuery('settings.get', {}, { workspace: null, on: [] })
  const [chosen, setChosen] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  useEffect(
    () =>
      client.on('settings.changed', (told) => {
        if (told.key === key) setChosen(told.value)
      }),
    [client, key]
  )
  return {
    value: chosen ?? (kept.data ? (kept.data.values[key] ?? '') : null),
    busy,
    error,
    set: async (value) => {
      const before = chosen
      setChosen(value)
      setBusy(true)
      setError(null)
      try {
        await client.call('settings.set', { key, value })
        return true
      } catch (thrown) {
        setChosen(before)
        setError(toErrorShape(thrown).message)
        return false
      } finally {
        setBusy(false)
      }
    }
  }
}
