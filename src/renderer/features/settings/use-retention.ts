/** Editing the retention limits of a workspace. The draft is saved only after the preview of its sweep. */
import { useState } from 'react'
import type { Storage } from '../../../contract/storage.ts'
import { useDriftline } from '../../client/context.tsx'

interface RetentionDraft {
  readonly budget: number
  readonly days: number
  /** `own`: only for this workspace. */
  readonly scope: 'all' | 'own'
}

export function useRetention(workspace: string, storage: Storage | null, refetch: () => void) {
  const { client } = useDriftline()
  const [edited, setEdited] = useState<RetentionDraft | null>(null)
  const saved: RetentionDraft = {
    budget: storage?.budget ?? 0,
    days: storage?.days ?? 0,
    scope: storage?.own.budget || storage?.own.days ? 'own' : 'all'
  }
  const draft = edited ?? saved
  const changed = draft.budget !== saved.budget || draft.days !== saved.days || draft.scope !== saved.scope
  return {
    draft,
    changed,
    change: (next: Partial<RetentionDraft>) => setEdited({ ...draft, ...next }),
    reset: () => setEdited(null),
    /** Saves the draft. Rejects with the engine's error if a value is refused. */
    save: async (): Promise<void> => {
      const put = (key: string, value: string) => client.call('settings.set', { key, value })
      const own = draft.scope === 'own'
      for (const [key, value] of [
        ['history.budget', draft.budget],
        ['history.days', draft.days]
      ] as const) {
        if (!own) await put(key, String(value))
        // "" makes the workspace follow the general limits.
        await put(`${key}/${workspace}`, own ? String(value) : '')
      }
      setEdited(null)
      refetch()
    }
  }
}
