/** Bundles: making one of a run, and opening one as a review. */
import type { Method } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { VERSION } from '../../version.ts'
import { createMask } from '../bundles/mask.ts'
import { findRun } from '../store/runs.ts'
import { resolveTarget } from '../store/targets.ts'
import { expandFolder } from './folder-input.ts'
import type { Handlers, WorkspaceHandlers } from './handler.ts'

export const MAKE_BUNDLE: WorkspaceHandlers<'bundle.make'> = {
  'bundle.make': async (open, { run, secrets = false, conversation = false }, { bundles }) => {
    const { store } = open
    const row = findRun(store, resolveTarget(store, run).run ?? '')
    if (!row) throw new DriftlineError('UnknownTarget', `"${run}" is not a run.`, { target: run })
    if (row.state === 'live' && !conversation)
      throw new DriftlineError(
        'RunIsLive',
        `"${row.title}" is still running. Nothing was exported. Wait until it ends.`,
        {
          runs: [row.id]
        }
      )
    const mask = createMask(!secrets)
    const of = { run: row, folder: open.workspace.name, by: VERSION, now: open.now() }
    return bundles.make(store, { ...of, mask, conversationOnly: conversation })
  }
}

export const BUNDLES: Handlers<Exclude<Extract<Method, `bundle.${string}`>, 'bundle.make'>> = {
  'bundle.fetch': ({ bundles }, { bundle, at }) => bundles.fetch(bundle, at),
  'bundle.drop': ({ bundles }, { bundle }) => {
    bundles.drop(bundle)
    return {}
  },
  'bundle.upload': ({ bundles }, { upload = null, at, base64 }) => ({
    upload: bundles.put(upload, at, Buffer.from(base64, 'base64'))
  }),
  'bundle.open': async ({ registry, bundles, home, emit }, of) => {
    const workspace = await ('file' in of ? openFile(of.file) : openUpload(of))
    emit('workspaces.changed', {})
    return { workspace }

    function openFile(file: string) {
      const path = expandFolder(home, file)
      return registry.reviews.add(path, path)
    }
    async function openUpload({ upload, name }: { readonly upload: string; readonly name: string }) {
      try {
        return await registry.reviews.add(bundles.fileOf(upload), name)
      } finally {
        bundles.drop(upload)
      }
    }
  },
  'bundle.close': async ({ registry, emit }, { bundle }) => {
    if (registry.reviews.find(bundle)) await registry.reviews.close(bundle)
    emit('workspaces.changed', {})
    return {}
  }
}
