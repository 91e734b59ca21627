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
        `"${row.name}" is still running. Nothing was exported. Wait until it ends.`,
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
  'bundle.open': async ({ registry: { reviews }, bundles, home, emit }, { file, upload, name }) => {
    const openUpload = async (id: string) => {
      try {
        return await reviews.add(bundles.fileOf(id), name ?? 'a bundle')
      } finally {
        bundles.drop(id)
      }
    }
    if ((file === undefined) === (upload === undefined))
      throw new DriftlineError('Usage', 'bundle.open takes a file or an upload.', {})
    const path = expandFolder(home, file ?? '/')
    const workspace = upload === undefined ? await reviews.add(path, path) : await openUpload(upload)
    emit('workspaces.changed', {})
    return { workspace }
  },
  'bundle.close': async ({ registry, emit }, { bundle }) => {
    if (registry.reviews.find(bundle)) await registry.reviews.close(bundle)
    emit('workspaces.changed', {})
    return {}
  }
}
