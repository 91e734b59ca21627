/** Lines that changes added or removed, searched from the newest change on and only for a while. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { SearchHit } from '../../../contract/search.ts'
import { readText } from '../diff/encoding.ts'
import { looksSecret } from '../diff/secret-path.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { CHUNKED, EVICTED_CODEC } from '../store/codec.ts'
import type { Store } from '../store/open-store.ts'
import { clipAround } from './snippet.ts'

/** Larger text is not searched, bytes. */
const MAX_TEXT_BYTES = 512 * 1024
/** Lines told of one change. */
const MAX_LINES = 3
const PAGE = 200
/** Texts kept unpacked: the version before a change is often the one after the change before. */
const CACHED_TEXTS = 100

interface ChangeRow {
  readonly seq: number
  readonly at: number
  readonly name: string
  readonly before: number | null
  readonly after: number | null
  readonly run: string | null
}

/** `note` is a sentence when not everything was looked at. */
export async function searchChanges(
  store: Store,
  needle: string,
  options: { readonly most: number; readonly budget: number; readonly pause: () => Promise<void> | undefined }
): Promise<{ readonly hits: SearchHit[]; readonly note: string }> {
  const hits: SearchHit[] = []
  const textOf = createTextCache(store)
  // What a restore wrote is what was there before: it is found where it was made.
  const page = store.db.prepare(
    `SELECT e.seq, e.at, p.name, (SELECT min(c.run) FROM edit_call c WHERE c.edit = e.seq) AS run,
       iif(b.kind = 1 AND b.size <= ${MAX_TEXT_BYTES}, b.content, NULL) AS before,
       iif(a.kind = 1 AND a.size <= ${MAX_TEXT_BYTES}, a.content, NULL) AS after
     FROM edit e JOIN path p ON p.id = e.path JOIN version b ON b.id = e.before JOIN version a ON a.id = e.after
     WHERE e.seq < ? AND e.origin <> 2 ORDER BY e.seq DESC LIMIT ${PAGE}`
  )
  const since = performance.now()
  let looked = 0
  let seq = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = page.all(seq) as ChangeRow[]
    for (const row of rows) {
      if (hits.length >= options.most) return { hits, note: '' }
      if (performance.now() - since > options.budget) return { hits, note: timeLimitNote(store, looked) }
      looked++
      seq = row.seq
      // [section 13] What a secret file holds is never shown, so it is not searched either.
      if (!looksSecret(row.name)) hits.push(...hitsIn(row, needle, textOf))
      const wait = options.pause()
      if (wait) await wait
    }
    if (rows.length < PAGE) return { hits, note: '' }
  }
}

function timeLimitNote(store: Store, looked: number): string {
  const { total } = store.db.prepare('SELECT count(*) AS total FROM edit WHERE origin <> 2').get() as { total: number }
  return `Searched the newest ${looked.toLocaleString('en')} of ${total.toLocaleString('en')} changes; the rest would have taken too long.`
}

function hitsIn(row: ChangeRow, needle: string, textOf: (content: number | null) => string | null): SearchHit[] {
  const before = textOf(row.before) ?? ''
  const after = textOf(row.after) ?? ''
  const [old, now] = [linesWith(before, needle), linesWith(after, needle)]
  if (old.length === 0 && now.length === 0) return []
  return [...without(now, old).map((line) => `+ ${line}`), ...without(old, now).map((line) => `- ${line}`)]
    .slice(0, MAX_LINES)
    .map((text) => ({
      kind: 'change',
      text,
      path: row.name,
      run: row.run,
      session: null,
      message: null,
      seq: row.seq,
      at: row.at
    }))
}

function linesWith(text: string, needle: string): string[] {
  const lower = text.toLowerCase()
  if (!lower.includes(needle)) return []
  return text
    .split('\n')
    .filter((line) => line.toLowerCase().includes(needle))
    .map((line) => clipAround(line, needle))
}

/** Lines that are in `all` more often than in `others`: those the change added, or removed. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return all.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}

/** Text by content; null for what is no text, not kept or damaged. */
function createTextCache(store: Store): (content: number | null) => string | null {
  const known = new Map<number, string | null>()
  const state = store.db.prepare('SELECT codec FROM content WHERE id = ?')
  const browse = store.content.unverifiedReader()
  const read = (content: number): string | null => {
    const row = state.get(content) as { codec: number } | undefined
    if (!row || row.codec === EVICTED_CODEC || row.codec === CHUNKED) return null
    try {
      const bytes = browse(content)
      return readText(bytes)
    } catch (error) {
      // Damaged, or packed against what is: doctor says which; the rest can still be searched.
      if (error instanceof DriftlineError || errorCode(error).startsWith('ZSTD_')) return null
      throw error
    }
  }
  return (content) => {
    if (content === null) return null
    const found = known.get(content)
    if (found !== undefined) return found
    const text = read(content)
    if (known.size >= CACHED_TEXTS) known.delete(known.keys().next().value as number)
    known.set(content, text)
    return text
  }
}
