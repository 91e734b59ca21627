/** One setting of the engine. A change may take long and may be refused. */
import { useEffect, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'

export interface Setting {
  /** "" if unset; null while loading. */
  readonly value: string | null
  readonly busy: boolean
  /** Why the last change was refused. */
  readonly error: string | null
  /** Resolves true once the value is stored and applied. */
  set(value: string): Promise<boolean>
}

export function useSetting(key: string): Setting {
  const { client } = useDriftline()
  const settings = useQuery('settings.get', {})
  const [chosen, setChosen] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  useEffect(
    () =>
      client.on('settings.changed', (change) => {
        if (change.key === key) setChosen(change.value)
      }),
    [client, key]
  )
  return {
    value: chosen ?? (settings.data ? (settings.data.values[key] ?? '') : null),
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
