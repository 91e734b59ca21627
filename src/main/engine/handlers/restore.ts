/** Previewing and applying restores. */
import type { Act } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { bytesOf } from '../diff/counted.ts'
import { fileDiff } from '../diff/display.ts'
import { factsOf } from '../restore/facts.ts'
import { perform, preview } from '../restore/perform.ts'
import type { Handlers } from './table.ts'

export const RESTORE: Handlers<'restore.plan' | 'restore.preview' | 'restore.apply'> = {
  'restore.plan': ({ registry }, { workspace, act, choices }) => preview(registry.open(workspace), act, choices ?? {}),
  'restore.preview': ({ registry }, { workspace, act, choices, path }) => {
    const { store } = registry.open(workspace)
    // Only this path is looked at: the dialog asks for one after another, and a plan may have thousands.
    const facts = factsOf(store, narrowed(act, path), choices ?? {}).paths.find((one) => one.path === path)
    if (!facts)
      throw new DriftlineError('UnknownTarget', `${path} is not part of this restore any more. Refresh the preview.`, {
        path
      })
    const merged = facts.merge && (facts.onlyByMerge || choices?.[path] === 'merge') ? facts.merge : null
    return fileDiff({
      path,
      before: { version: facts.now, bytes: bytesOf(store, facts.now) },
      after: merged
        ? { version: merged.version, bytes: merged.bytes }
        : { version: facts.target, bytes: bytesOf(store, facts.target) }
    })
  },
  'restore.apply': ({ registry, emit }, { workspace, act, choices, plan, whileLive }) => {
    const open = registry.open(workspace)
    return perform(open, {
      act,
      choices: choices ?? {},
      ...(plan === undefined ? {} : { plan }),
      whileLive: whileLive ?? false,
      progress: (restore, phase, done, total, path) =>
        emit('restore.progress', { workspace: open.workspace.id, restore, phase, done, total, path })
    })
  }
}

function narrowed(act: Act, path: string): Act {
  return act.kind === 'restore' || act.kind === 'undo-run' || act.kind === 'drift' ? { ...act, paths: [path] } : act
}
