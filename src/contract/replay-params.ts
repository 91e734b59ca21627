/** What a replay takes (params.ts). */
import { z } from 'zod'
import { id, path, seq, ws } from './param-types.ts'

export const REPLAY_PARAMS = {
  /** Of a run or turn, or everything between `target` and `to`. `after`: the page behind the edit with this seq. */
  'replay.edits': () =>
    z.strictObject({
      ...ws,
      target: id,
      to: id.exactOptional(),
      after: z.number().int().min(0).exactOptional(),
      limit: z.number().int().min(1).max(20_000)
    }),
  /** A file after the edit `seq`, compared with the position `from`. `full`: a large text, too. */
  'replay.file': () => z.strictObject({ ...ws, path, from: seq, seq, full: z.boolean().exactOptional() })
}
