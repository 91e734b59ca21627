/** One setting of the engine. A change may take long and may be refused. */
import { useEffect, useState } from 'react'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { useTask } from '../../client/use-task.ts'

export function useSetting(key: string) {
  const { client } = useDriftline()
  const { data } = useQuery('settings.get', {})
  const [chosen, setChosen] = useState<string | null>(null)
  const { busy, problem, run } = useTask()
  useEffect(
    () =>
      client.on('settings.changed', (change) => {
        if (change.key === key) setChosen(change.value)
      }),
    [client, key]
  )
  return {
    /** "" if unset; null while loading. */
    value: chosen ?? (data ? (data.values[key] ?? '') : null),
    busy,
    /** Why the last change was refused. */
    error: problem,
    /** Resolves true once the value is stored and applied. */
    set: async (value: string): Promise<boolean> => {
      setChosen(value)
      const done = await run(() => client.call('settings.set', { key, value }))
      if (!done) setChosen(chosen)
      return done
    }
  }
}
