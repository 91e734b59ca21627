/** The parameters of the methods about bundles (params.ts). */
import { z } from 'zod'
import { id, path, ws } from './param-types.ts'

export const BUNDLE_PARAMS = {
  /** `secrets`: unmasked. `conversation`: without files, for its trajectory. */
  'bundle.make': () =>
    z.strictObject({
      ...ws,
      run: id,
      secrets: z.boolean().exactOptional(),
      conversation: z.boolean().exactOptional()
    }),
  /** The piece of a made bundle from `at` on, bytes. */
  'bundle.fetch': () => z.strictObject({ bundle: id, at: z.number().int().min(0) }),
  'bundle.drop': () => z.strictObject({ bundle: id }),
  /** `upload`: absent for the first piece. */
  'bundle.upload': () =>
    z.strictObject({
      upload: id.exactOptional(),
      at: z.number().int().min(0),
      base64: z.string().max(8 * 1024 * 1024)
    }),
  /** `file`: an absolute path; else `upload`, what was sent, with the `name` of its file. */
  'bundle.open': () =>
    z.strictObject({ file: path.exactOptional(), upload: id.exactOptional(), name: path.exactOptional() }),
  'bundle.close': () => z.strictObject({ bundle: id })
} as const
