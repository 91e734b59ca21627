/**
 * [CP-1] Some tools report the content a file had before they changed it. If it differs from the log, the file was
 * written from outside after its last capture and before the tool read it. That version is recorded first, as an
 * outside edit, so that undoing the tool's edit restores it.
 */
import { isUtf8 } from 'node:buffer'
import { withoutDamage } from '../checkpoints/damage.ts'
import type { CheckContext } from '../drift/check.ts'
import { outsideAuthor, refreshOpenDrift } from '../drift/drifts.ts'
import { sha256 } from '../store/hash.ts'
import type { Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
import { transact, type Writable } from '../store/sql.ts'
import { readStoredContent, type VersionId } from '../store/versions.ts'

/**
 * `known`: the log holds that version, or the two cannot be compared. `recorded`: an outside edit was appended.
 * `missed`: there was an outside edit, but the tool's result is recorded already, or the bytes are not known exactly.
 */
type OriginalContentResult = 'known' | 'recorded' | 'missed'

/**
 * `path` is root-relative; `since` is the position at which the call began. Call inside the workspace's lock, before
 * the scan that records the tool's own edit.
 */
export function recordOriginalContent(
  context: Pick<CheckContext, 'store' | 'now' | 'notifyChanged'>,
  path: string,
  text: string,
  since: number
): OriginalContentResult {
  const { store } = context
  const compared = withoutDamage(store, () => compareWithLog(store, path, text, since))
  if (typeof compared === 'string') return compared
  const result = withoutDamage(store, () =>
    transact(store, (tx) => {
      // Compare again inside the transaction: another process may have recorded the path meanwhile (LG-2).
      const current = compareWithLog(tx, path, text, since)
      if (typeof current !== 'string') appendOutsideEdit(tx, current, text, context.now())
      return typeof current === 'string' ? current : 'recorded'
    })
  )
  if (result === 'recorded') context.notifyChanged(['edits', 'drift'], [path])
  return result
}

/** The result, or the head that the outside edit has to follow. */
function compareWithLog(store: Store, path: string, text: string, since: number): OriginalContentResult | KnownHead {
  const { records } = store
  const head = records.head(path)
  if (!head || head.version === null) return 'known'
  const moved = records.editsOf(head.id).filter((edit) => edit.seq > since)
  const versions = moved.length > 0 ? [moved.at(-1)!.before, ...moved.map((edit) => edit.after)] : [head.version]
  if (versions.some((version) => mayMatch(store, version, text))) return 'known'
  // U+FFFD replaces bytes that were not UTF-8: the original bytes are not known.
  if (moved.length > 0 || text.includes('\uFFFD')) return 'missed'
  return { ...head, version: head.version }
}

type KnownHead = Head & { readonly version: VersionId }

function appendOutsideEdit(tx: Writable<Store>, head: KnownHead, text: string, at: number): void {
  const { records } = tx
  const before = records.version(head.version)
  const bytes = Buffer.from(restoreStyle(readStoredContent(tx, before), text))
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
    tx.content.put(bytes, hash, before.kind === 'file' ? before.content : null)
  )
  const author = outsideAuthor(tx, { cause: 'edits', branches: null }, at)
  const seq = records.addEdit({
    path: head.id,
    before: head.version,
    after,
    origin: author.origin,
    attribution: author.attribution,
    base: head.edit,
    at,
    restore: null,
    drift: author.drift
  })
  // Store no stat signature (LG-6): the disk has moved on. The next scan reads the file again and records the tool's
  // edit.
  records.setHead(head.id, after, seq, null, 0)
  refreshOpenDrift(tx, seq)
}

/**
 * Whether a recorded version may be that text. Only a certain difference counts: versions that cannot be compared
 * match.
 */
function mayMatch(store: Store, id: number, text: string): boolean {
  const version = store.records.version(id)
  // For an absent file a tool reports "". Other kinds, and versions without stored content, cannot be compared.
  if (version.kind === 'absent') return text === ''
  if (version.kind === 'unknown') return false
  const bytes = readStoredContent(store, version)
  const known = bytes && decodeUtf8(bytes)
  return known === null || normalizeText(known) === normalizeText(text)
}

/** Null for another encoding, or binary: the text an agent reports for such a file proves nothing. */
function decodeUtf8(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}

const BOM = '\uFEFF'

/** Agents report text without a BOM and with LF line ends. */
function normalizeText(text: string): string {
  return (text.startsWith(BOM) ? text.slice(1) : text).replaceAll('\r\n', '\n')
}

/** The text with the BOM and the line ends (CRLF or LF) the file had before. */
function restoreStyle(before: Buffer | null, text: string): string {
  const known = before ? decodeUtf8(before) : null
  if (known === null || text.includes('\r\n')) return text
  const lines = known.includes('\r\n') && !/(^|[^\r])\n/.test(known) ? text.replaceAll('\n', '\r\n') : text
  return known.startsWith(BOM) && !lines.startsWith(BOM) ? BOM + lines : lines
}
