/** The parameters of the methods about stopped runs (params.ts). */
import { z } from 'zod'
import { id, ws } from './param-types.ts'

export const BRAKE_PARAMS = {
  'brake.list': () => z.strictObject(ws),
  /** `run`: a stopped run, or a unique start of its id. */
  'brake.decide': () => z.strictObject({ ...ws, run: id, decision: z.enum(['release', 'end']) }),
  'brake.restore': () => z.strictObject({ ...ws, run: id, dryRun: z.boolean() })
} as const
