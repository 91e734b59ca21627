/** What the methods about positions and searches take (params.ts). */
import { z } from 'zod'
import { id, optionalPaths, path, processId, seq, text, ws } from './param-types.ts'

/** The two ends of a search. */
const between = z.strictObject({ good: seq, bad: seq })

/** `n` 0: the change of the file as a whole. */
const changePart = z.strictObject({ path, n: z.number().int().min(0) })

export const BISECT_PARAMS = {
  /**
   * `owner`: the process that uses the folder and deletes it. `also`: paths to write even if they are so on disk. `like`: the
   * folder of a position that was written before, to share its files; not if they are to be changed.
   * `between`: of the edits in force between two positions, those up to the target; with `parts` of what changed since
   * `from` only these.
   */
  'position.write': () =>
    z.strictObject({
      ...ws,
      target: id,
      owner: processId,
      also: optionalPaths,
      like: text.exactOptional(),
      between: between.exactOptional(),
      parts: z.strictObject({ from: seq, apply: z.array(changePart).max(100_000).readonly() }).exactOptional()
    }),
  'position.changes': () => z.strictObject({ ...ws, since: seq }),
  /** Targets; absent: where `command` passed last, else the start of the history, and the present. */
  'bisect.candidates': () =>
    z.strictObject({
      ...ws,
      good: id.exactOptional(),
      bad: id.exactOptional(),
      command: text.exactOptional()
    }),
  'bisect.change': () => z.strictObject({ ...ws, edits: z.array(seq).min(1).max(100_000).readonly() }),
  /** `command`: for a shell. */
  'bisect.start': () =>
    z.strictObject({
      ...ws,
      command: text.trim().min(1),
      good: id.exactOptional(),
      bad: id.exactOptional(),
      hunks: z.boolean()
    }),
  'bisect.cancel': () => z.strictObject(ws),
  'bisect.state': () => z.strictObject(ws),
  'bisect.dismiss': () => z.strictObject(ws),
  'bisect.parts': () => z.strictObject({ ...ws, between, from: seq, to: seq })
} as const
