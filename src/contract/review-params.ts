/** What the methods about comments and reviews take (params.ts). */
import { z } from 'zod'
import { comment, id, path, processId, text, ws } from './param-types.ts'

export const REVIEW_PARAMS = {
  /** `at`: where the comments are at that position; absent: now. `onMessages`: only those on messages and tool calls. */
  'comments.list': () =>
    z.strictObject({
      ...ws,
      run: id.exactOptional(),
      session: id.exactOptional(),
      unresolved: z.boolean().exactOptional(),
      onMessages: z.boolean().exactOptional(),
      at: id.exactOptional()
    }),
  'comments.counts': () => z.strictObject(ws),
  /**
   * On a run, a file of it or lines of the file: `from` to `to`, from 1, both included, as the file is at the end of
   * `target`, or with `side: 'before'` at its start. "now": as it is. With `message` (a seq), `target` is its session. `call`: on that tool call,
   * whatever `target` is.
   */
  'comments.add': () =>
    z.strictObject({
      ...ws,
      target: id,
      path: path.exactOptional(),
      side: z.enum(['before', 'after']).exactOptional(),
      from: z.number().int().min(1).exactOptional(),
      to: z.number().int().min(1).exactOptional(),
      message: z.number().int().min(1).exactOptional(),
      call: id.exactOptional(),
      replyTo: id.exactOptional(),
      text: comment
    }),
  'comments.change': () =>
    z.strictObject({
      ...ws,
      comment: id,
      text: comment.exactOptional(),
      resolved: z.boolean().exactOptional()
    }),
  'comments.delete': () => z.strictObject({ ...ws, comment: id }),
  /** A run or a turn. */
  'review.findings': () => z.strictObject({ ...ws, run: id }),
  /** Of a session, or that of a run; absent: the newest session. */
  'review.get': () => z.strictObject({ ...ws, session: id.exactOptional(), run: id.exactOptional() }),
  /** `message`: as a person edited it. `prompt`: with the session's next prompt. `copy`: a person pastes it. */
  'review.send': () =>
    z.strictObject({
      ...ws,
      session: id,
      route: z.enum(['prompt', 'copy']),
      message: text.min(1).exactOptional()
    }),
  /** `agent`: the process of the agent that asks. */
  'review.take': () => z.strictObject({ ...ws, agent: processId }),
  'review.cancel': () => z.strictObject({ ...ws, review: id }),
  'review.list': () => z.strictObject({ ...ws, session: id })
} as const
