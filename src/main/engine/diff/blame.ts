/** Who wrote each line of a file, from the same weave as merges. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { BlameLine, BlamePage, Seq } from '../../../contract/log.ts'
import type { Store } from '../store/open-store.ts'
import type { VersionId } from '../store/versions.ts'
import { findWritingTurn } from '../store/writers.ts'
import { decodeAs, encodingOf } from './encoding.ts'
import { type WovenText, weaveAt } from './provenance.ts'
import { bytesOfPiece, bytesOfPieces } from './woven-text.ts'

/** Bounds of one page, so that its answer fits into a frame. */
const PAGE_LINES = 50_000
const PAGE_BYTES = 8 * 1024 * 1024

/** A weave of which a caller has not read all pages, and its encoding. */
interface Unread {
  readonly edit: number
  readonly path: string
  readonly woven: WovenText
  readonly encoding: ReturnType<typeof encodingOf>
}

/** The last one of each store, for a moment: the pages of a large file are requested one after the other. */
const UNREAD = new WeakMap<Store, Unread>()
/** A caller that stops early must not keep the text in memory, ms. */
const HELD_MS = 10_000

/**
 * Attributes the lines of a path's newest recorded version, from line `from` (1-based) on, to a run and prompt, to an
 * outside edit, or to the initial snapshot. Throws UnknownTarget when it is no file, NotStored when its lines have no
 * complete history. `hash`: of the newest version with this content instead, SHA-256 as hex; throws UnknownTarget without one.
 */
export function blame(store: Store, path: string, from = 1, hash?: string): BlamePage {
  const text = UNREAD.get(store)
  UNREAD.delete(store)
  const place = placeOf(store, path, hash)
  const known = text && text.path === path && text.edit === place.edit ? text : wovenAt(store, path, place)
  const page = readPage(store, known, from)
  if (page.next !== null) {
    UNREAD.set(store, known)
    setTimeout(() => UNREAD.get(store) === known && UNREAD.delete(store), HELD_MS).unref()
  }
  return page
}

interface Place {
  /** 0 = the initial snapshot. */
  readonly edit: number
  readonly version: VersionId
}

function placeOf(store: Store, path: string, hash: string | undefined): Place {
  const { records } = store
  const head = records.head(path)
  if (!head || head.version === null || (hash === undefined && records.version(head.version).kind !== 'file'))
    throw new DriftlineError('UnknownTarget', `${path} is not a recorded file.`, { path })
  if (hash === undefined || records.version(head.version).hash === hash)
    return { edit: head.edit, version: head.version }
  const edits = records.editsOf(head.id)
  const edit = edits.find(({ after }) => records.version(after).hash === hash)
  if (edit) return { edit: edit.seq, version: edit.after }
  const first = edits.at(-1)
  if (first && records.version(first.before).hash === hash) return { edit: 0, version: first.before }
  throw new DriftlineError('UnknownTarget', `${path} never had this content here.`, { path })
}

function wovenAt(store: Store, path: string, { edit, version }: Place): Unread {
  const woven = weaveAt(store, edit, version, { copies: true })
  if (!woven)
    throw new DriftlineError(
      'NotStored',
      `Couldn't attribute the lines of ${path}: it is not text, its versions are too large, or one of them is not stored.`,
      { path }
    )
  // The encoding is a property of the whole file; a single line may fit several.
  return { edit, path, woven, encoding: encodingOf(bytesOfPieces(woven.pieces())) }
}

function readPage(store: Store, { path, woven, encoding }: Unread, from: number): BlamePage {
  const authors = new Map<Seq, LineAuthor>()
  const lines: BlameLine[] = []
  let total = 0
  let bytes = 0
  let next: number | null = null
  for (const piece of woven.pieces()) {
    for (let line = Math.max(piece.from, piece.from + from - 1 - total); line < piece.to && next === null; line++) {
      const text = bytesOfPiece({ source: piece.source, from: line, to: line + 1 })
      const n = total + line - piece.from + 1
      if (lines.length === PAGE_LINES || (lines.length > 0 && bytes + text.length > PAGE_BYTES)) next = n
      else {
        const author = authors.get(piece.seq) ?? lineAuthor(store, path, piece.seq)
        authors.set(piece.seq, author)
        bytes += text.length
        lines.push({ n, seq: piece.seq, text: decodeAs(text, encoding ?? 'utf8').replace(/\r?\n$/, ''), ...author })
      }
    }
    total += piece.to - piece.from
  }
  return { lines, total, next }
}

type LineAuthor = Pick<BlameLine, 'run' | 'prompt' | 'origin' | 'at' | 'oldPath'>

function lineAuthor(store: Store, path: string, seq: Seq): LineAuthor {
  if (seq === 0) return { run: null, prompt: null, origin: 'baseline', at: null }
  const writer = findWritingTurn(store, seq)
  const edit = store.records.edit(seq)
  const writtenAt = store.records.headById(edit.path).path
  return {
    run: writer?.run ?? null,
    prompt: writer?.prompt ?? null,
    origin: writer ? 'agent' : 'outside',
    at: edit.at,
    ...(writtenAt === path ? {} : { oldPath: writtenAt })
  }
}
