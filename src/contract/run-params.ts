/** The parameters of the methods about runs (params.ts). */
import { z } from 'zod'
import { id, pid, sessionId, text, ws } from './param-types.ts'

export const RUN_PARAMS = {
  'run.begin': () =>
    z.strictObject({
      ...ws,
      /** Id of the run, chosen by the caller: a call that is repeated with it begins no second run. */
      run: z
        .string()
        .regex(/^run_[0-9a-hjkmnp-tv-z]{12}$/)
        .exactOptional(),
      title: text,
      agent: z.string().min(1).max(100),
      session: sessionId.exactOptional(),
      pid,
      pidStart: z.string().max(100)
    }),
  /** `command`: what ran, as a shell would take it. */
  'run.end': () =>
    z.strictObject({
      ...ws,
      run: id,
      exitCode: z.number().int().nullable(),
      command: text.exactOptional()
    }),
  /** What is absent stays; "" removes. `undo`: what it was before the newest change of it, instead. */
  'run.describe': () =>
    z.strictObject({
      ...ws,
      run: id,
      label: z.string().max(200).exactOptional(),
      userNote: z.string().max(20_000).exactOptional(),
      undo: z.enum(['label', 'userNote']).exactOptional()
    })
} as const
