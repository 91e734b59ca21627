/** Remembers which calls of a channel are unanswered, from the heads of its frames alone. */
const HEAD = /^\{"id":(\d{1,15})[,}]/

/** The id a frame carries, or null (an event, or not ours). Looks at the head; parses only frames written otherwise. */
export function frameId(frame: string): number | null {
  const head = HEAD.exec(frame.slice(0, 32))
  if (head) return Number(head[1])
  if (frame.startsWith('{"event":')) return null
  try {
    const id: unknown = (JSON.parse(frame) as { id?: unknown } | null)?.id
    return typeof id === 'number' ? id : null
  } catch {
    // Expected: SyntaxError; the engine answers such a frame or breaks the channel.
    return null
  }
}

export class OpenCalls {
  readonly #ids = new Set<number>()

  asked(frame: string): void {
    const id = frameId(frame)
    if (id !== null) this.#ids.add(id)
  }

  answered(frame: string): void {
    const id = frameId(frame)
    if (id !== null) this.#ids.delete(id)
  }

  /** The unanswered ids, which are forgotten with this. */
  takeAll(): readonly number[] {
    const ids = [...this.#ids]
    this.#ids.clear()
    return ids
  }
}
