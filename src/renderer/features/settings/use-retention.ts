/** The bounds of a folder's history as they are being changed: nothing is saved before what would go has been shown. */
import { useState } from 'react'
import type { Storage } from '../../../contract/storage.ts'
import { useDriftline } from '../../client/context.tsx'

export interface RetentionDraft {
  readonly budget: number
  readonly days: number
  /** `own`: for this folder alone. */
  readonly scope: 'all' | 'own'
}

export interface RetentionEditing {
  readonly draft: RetentionDraft
  readonly changed: boolean
  change(next: Partial<RetentionDraft>): void
  reset(): void
  /** Keeps the draft. Rejects with the engine's sentence when a value is refused. */
  save(): Promise<void>
}

export function useRetention(workspace: string, storage: Storage | null, refetch: () => void): RetentionEditing {
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
    change: (next) => setEdited({ ...draft, ...next }),
    reset: () => setEdited(null),
    save: async () => {
      const put = (key: string, value: string) => client.call('settings.set', { key, value })
      const own = draft.scope === 'own'
      for (const [key, value] of [
        ['history.budget', draft.budget],
        ['history.days', draft.days]
      ] as const) {
        if (!own) await put(key, String(value))
        // "": this folder follows the general ones again.
        await put(`${key}/${workspace}`, own ? String(value) : '')
      }
      setEdited(null)
      refetch()
    }
  }
}
