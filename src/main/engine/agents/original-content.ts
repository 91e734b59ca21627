/**
 * [CP-1] What a tool says a file held when it changed it, held against what the log says. Somebody may have written the
 * file after it was captured and before the tool read it: that is recorded first, as an outside Edit.
 */

import { write } from '../db/transaction.ts'
import { readContent } from '../diff/describe-changes.ts'
import { outsideAuthor, refreshOpenDrift } from '../drift/drifts.ts'
import { sha256 } from '../store/hash.ts'
import type { Head } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import type { VersionId } from '../store/versions.ts'
import type { Recorder } from '../workspaces/recorder.ts'

/** `missed`: somebody's text was there, but what the tool made of it is recorded already, or its bytes are not known. */
export type OriginalContentResult = 'as-known' | 'recorded' | 'missed'

/** `path` is root-relative; `since`: the position at which the call began. Call inside the lock, before the folder is looked at. */
export function recordOriginalContent(
  recorder: Recorder,
  path: string,
  text: string,
  since: number
): OriginalContentResult {
  const { store } = recorder
  const found = compareWithLog(store, path, text, since)
  if (typeof found === 'string') return found
  const done = write(store.db, () => {
    // Another process may have recorded the path since it was compared (LG-2).
    const still = compareWithLog(store, path, text, since)
    if (typeof still !== 'string') appendOutsideEdit(recorder, still, text)
    return typeof still === 'string' ? still : 'recorded'
  })
  if (done === 'recorded') recorder.notifyChanged(['edits', 'drift'], [path])
  return done
}

/** What became of the text, or the head it came after and is not recorded on. */
function compareWithLog(store: Store, path: string, text: string, since: number): OriginalContentResult | KnownHead {
  const { records } = store
  const head = records.head(path)
  if (!head || head.version === null) return 'as-known'
  const moved = records.editsOf(head.id).filter((edit) => edit.seq > since)
  const states = moved.length > 0 ? [moved.at(-1)!.before, ...moved.map((edit) => edit.after)] : [head.version]
  if (states.some((state) => mayMatch(store, state, text))) return 'as-known'
  // Where the agent read something that is no UTF-8, its bytes are not known.
  if (moved.length > 0 || text.includes('\uFFFD')) return 'missed'
  return { ...head, version: head.version }
}

type KnownHead = Head & { readonly version: VersionId }

/** Call inside a transaction. */
function appendOutsideEdit({ store, now }: Recorder, head: KnownHead, text: string): void {
  const { records } = store
  const before = records.version(head.version)
  const bytes = Buffer.from(restoreStyle(readContent(store, before), text))
  const hash = sha256(bytes)
  const after = records.addVersion(
    {
      kind: 'file',
      size: bytes.length,
      mode: before.kind === 'file' ? before.mode : 0o644,
      hash: hash.toString('hex'),
      target: null,
      notStored: null
    },
    store.content.put(bytes, hash, before.kind === 'file' ? before.content : null)
  )
  const made = outsideAuthor(store, { cause: 'edits', note: '' }, now())
  const seq = records.addEdit({
    path: head.id,
    before: head.version,
    after,
    origin: made.origin,
    attribution: made.attribution,
    base: head.edit,
    at: now(),
    restore: null,
    drift: made.drift
  })
  // LG-6 asks the disk, which has gone on; without a signature the file is read again, and what the tool made of it follows.
  records.setHead(head.id, after, seq, null, 0)
  refreshOpenDrift(store)
}

/** Whether a recorded state may be that text. What cannot be told apart agrees: only a certain difference counts. */
function mayMatch(store: Store, id: number, text: string): boolean {
  const version = store.records.version(id)
  // A tool finds nothing where nothing is; other kinds, and what is not kept, are not compared.
  if (version.kind === 'absent') return text === ''
  if (version.kind === 'unknown') return false
  const bytes = readContent(store, version)
  const known = bytes && decodeUtf8(bytes)
  return known === null || normalizeText(known) === normalizeText(text)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return UTF8.decode(bytes)
  } catch (error) {
    // Another encoding, or no text: the agent's reading of it proves nothing.
    if (error instanceof TypeError) return null
    throw error
  }
}

const BOM = '\uFEFF'

/** Agents read text without its mark and with line feeds alone. */
function normalizeText(text: string): string {
  return (text.startsWith(BOM) ? text.slice(1) : text).replaceAll('\r\n', '\n')
}

/** The text with the line ends and the mark the file had. */
function restoreStyle(before: Buffer | null, text: string): string {
  const known = before ? decodeUtf8(before) : null
  if (known === null || text.includes('\r\n')) return text
  const lines = known.includes('\r\n') && !/(^|[^\r])\n/.test(known) ? text.replaceAll('\n', '\r\n') : text
  return known.startsWith(BOM) && !lines.startsWith(BOM) ? BOM + lines : lines
}
