/** The values that parameters of the contract consist of (params.ts). */
import { z } from 'zod'

export const text = z.string().max(65_536)
/** An id, or a unique prefix of it, as the engine hands them out. */
export const id = z.string().min(1).max(200)
/** Root-relative with `/`, or absolute where a method says so. */
export const path = z.string().max(8192)
export const optionalPaths = z.array(path).max(100_000).readonly().exactOptional()
/** A session id becomes part of file names of agents, so its alphabet is closed. */
export const sessionId = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/)
/** The number of an edit, or 0 for the start of the log. */
export const seq = z.number().int().min(0)
export const pid = z.number().int().min(0)
/** A process and when it started: a reused pid has another start. */
export const processId = z.strictObject({ pid, start: z.string().max(100) })
export const content = z.string().max(64 * 1024 * 1024)
/** Of a comment: Markdown. */
export const comment = z.string().trim().min(1).max(20_000)
/** Makes a schema at its first use, for several that share it. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export const none = z.strictObject({})
export const ws = { workspace: id }
/** `EventCursor` in events.ts. Here, because the engine runs this schema and none of the events'. */
export const eventCursor = z.strictObject({ edit: seq, checkpoint: seq, open: z.array(id).max(100_000).readonly() })
