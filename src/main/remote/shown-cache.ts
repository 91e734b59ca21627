/**
 * What was last shown of a host: answers as JSON text, by method and parameters. The least recently used ones go first, so
 * it stays small, and its file lets a window that starts while the host is out of reach show the same. A file that cannot
 * be read is the same as none: every answer is on the host.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { log } from '../engine/ports/log.ts'

/** Of one host, characters. */
const LIMIT = 2_000_000
/** A larger answer is not kept. */
const ANSWER_LIMIT = 300_000

export type ShownCache = ReturnType<typeof createShownCache>

export function createShownCache(file: string, limit = LIMIT) {
  const kept = new Map<string, string>()
  let size = 0
  let isSaved = true

  const remove = (key: string): void => {
    size -= key.length + (kept.get(key)?.length ?? -key.length)
    kept.delete(key)
  }
  const put = (key: string, answer: string): void => {
    remove(key)
    if (answer.length > Math.min(ANSWER_LIMIT, limit)) return
    kept.set(key, answer)
    size += key.length + answer.length
    for (const oldest of kept.keys()) {
      if (size <= limit) break
      remove(oldest)
    }
  }
  for (const [key, answer] of readEntries(file, limit)) put(key, answer)

  return {
    get: (key: string): string | undefined => kept.get(key),
    put: (key: string, answer: string): void => {
      if (kept.get(key) === answer) return
      put(key, answer)
      isSaved = false
    },
    /** Writes the file, unless nothing changed. */
    save(): void {
      if (isSaved) return
      isSaved = true
      const draft = `${file}.${process.pid}.tmp`
      try {
        writeFileSync(draft, [...kept].map((entry) => JSON.stringify(entry)).join('\n'), { mode: 0o600 })
        renameSync(draft, file)
      } catch (error) {
        // Expected: ENOSPC, EROFS, ENOENT. Only what is shown without the host is missing.
        log.warn(`what was shown of a host could not be saved (${(error as NodeJS.ErrnoException).code ?? ''})`)
      }
    }
  }
}

function readEntries(file: string, limit: number): readonly (readonly [string, string])[] {
  try {
    // Every character may be escaped.
    if (statSync(file).size > limit * 6) return []
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
      .filter(
        (entry): entry is [string, string] => Array.isArray(entry) && entry.every((part) => typeof part === 'string')
      )
  } catch {
    // Expected: ENOENT, SyntaxError.
    return []
  }
}
