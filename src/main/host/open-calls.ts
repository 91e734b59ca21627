/**
 * The unanswered calls of a channel. Ids are read from the start of a frame, because parsing large frames would block
 * the main thread.
 */
const ID_PREFIX = /^\{"id":(\d{1,15})[,}]/

/** The call id of a frame; null for events and invalid frames. Parses the frame only if the id is not its first key. */
export function frameId(frame: string): number | null {
  const match = ID_PREFIX.exec(frame.slice(0, 32))
  if (match) return Number(match[1])
  if (frame.startsWith('{"event":')) return null
  try {
    const id: unknown = (JSON.parse(frame) as { id?: unknown } | null)?.id
    return typeof id === 'number' ? id : null
  } catch {
    // Expected: SyntaxError. The engine answers such a frame with an error or closes the channel.
    return null
  }
}

export class OpenCalls {
  readonly #ids = new Set<number>()

  started(frame: string): void {
    const id = frameId(frame)
    if (id !== null) this.#ids.add(id)
  }

  answered(frame: string): void {
    const id = frameId(frame)
    if (id !== null) this.#ids.delete(id)
  }

  /** Returns the unanswered ids and clears them. */
  takeAll(): readonly number[] {
    const ids = [...this.#ids]
    this.#ids.clear()
    return ids
  }
}
