/** A cache bounded by bytes; the oldest goes first. */
export function createByteCache<Key, Bytes extends { readonly length: number }>(limit: number) {
  const cached = new Map<Key, Bytes>()
  // Continues where it stopped: from the start it would pass the places of all deleted entries each time.
  let oldest = cached.entries()
  let held = 0
  return {
    get: (key: Key): Bytes | undefined => cached.get(key),
    has: (key: Key): boolean => cached.has(key),
    add: (key: Key, bytes: Bytes): void => {
      if (cached.has(key)) return
      cached.set(key, bytes)
      held += bytes.length
      while (held > limit && cached.size > 1) {
        const next = oldest.next()
        if (next.done) oldest = cached.entries()
        else if (cached.delete(next.value[0])) held -= next.value[1].length
      }
    }
  }
}
