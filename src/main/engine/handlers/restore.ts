/** Previewing and applying restores. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { FileVersion } from '../../../contract/log.ts'
import type { Act } from '../../../contract/restore.ts'
import { markBroken } from '../checkpoints/broken.ts'
import { bytesOf } from '../diff/counted.ts'
import { fileDiff } from '../diff/display.ts'
import { countLines } from '../diff/line-counts.ts'
import type { ChangeSide } from '../diff/types.ts'
import { factsOf } from '../restore/facts.ts'
import { perform, preview } from '../restore/perform.ts'
import type { Merge } from '../restore/provenance.ts'
import type { Store } from '../store/open-store.ts'
import type { Handlers } from './handler.ts'

export const RESTORE: Handlers<'restore.plan' | 'restore.preview' | 'restore.apply'> = {
  'restore.plan': ({ registry }, { workspace, act, choices }) => preview(registry.open(workspace), act, choices ?? {}),
  'restore.preview': ({ registry }, { workspace, act, choices, path, side }) => {
    const { store } = registry.open(workspace)
    // Only this path is looked at: the dialog asks for one after another, and a plan may have thousands.
    const facts = factsOf(store, narrowed(act, path), choices ?? {}).paths.find((one) => one.path === path)
    if (!facts)
      throw new DriftlineError('UnknownTarget', `${path} is not part of this restore any more. Refresh the preview.`, {
        path
      })
    const { now, target, merge, own } = facts
    const merged = merge && (facts.onlyByMerge || choices?.[path] === 'merge') ? merge : null
    // Without a merge, what goes back and what others wrote are told apart where the one ended.
    const [from, to] =
      side === 'own'
        ? merge
          ? [merge, now]
          : [target, own ?? now]
        : side === 'others'
          ? [merge ? target : (own ?? target), merge ?? now]
          : [now, merged ?? target]
    const [before, after] = [sideOf(store, from), sideOf(store, to)]
    const counts = before.bytes || after.bytes ? countLines(before.bytes, after.bytes) : null
    return { ...fileDiff({ path, before, after }), counts }
  },
  'restore.apply': async ({ registry, emit }, { workspace, act, choices, plan, whileLive }) => {
    const open = registry.open(workspace)
    try {
      return await perform(open, {
        act,
        choices: choices ?? {},
        ...(plan === undefined ? {} : { plan }),
        whileLive: whileLive ?? false,
        progress: (restore, phase, done, total, path) =>
          emit('restore.progress', { workspace: open.workspace.id, restore, phase, done, total, path })
      })
    } catch (error) {
      // What is damaged was written nowhere; from now on the checkpoints that need it say so.
      const content = error instanceof DriftlineError && error.code === 'StoreDamaged' ? error.data.content : undefined
      if (typeof content === 'number' && markBroken(open.store, [content])) open.changed(['checkpoints'])
      throw error
    }
  }
}

function narrowed(act: Act, path: string): Act {
  return act.kind === 'restore' || act.kind === 'undo-run' || act.kind === 'drift' ? { ...act, paths: [path] } : act
}

function sideOf(store: Store, of: FileVersion | Merge): ChangeSide {
  return 'bytes' in of && 'leaveOut' in of
    ? of
    : { version: of as FileVersion, bytes: bytesOf(store, of as FileVersion) }
}
