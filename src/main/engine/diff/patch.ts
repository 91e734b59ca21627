/**
 * Formats changes as a patch that `git apply` and `git apply -R` accept (git-diff(1), "Generating patch text"), or as one that is
 * only read by people.
 */
import { encodingName } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { isProvablySame } from '../log/same-version.ts'
import { encodingsOf } from './encoding.ts'
import { binarySection, blobId, NULL_ID } from './git-blob.ts'
import { isRefusedByGit, quoteName, quoteNameInFileLine, quoteNameInHeader } from './git-names.ts'
import { formatHunks } from './hunk-text.ts'
import { hasLines } from './line-counts.ts'
import { comparePaths } from './path-order.ts'
import { contentSimilarity } from './similarity.ts'
import type { PathChange } from './types.ts'

/** A change with the bytes of its files; null for a side that is no file or whose content is not stored. */
export interface PatchInput {
  readonly change: PathChange
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
}

export interface Patch {
  readonly patch: Buffer
  /** Paths of changes that the patch cannot contain, folders excepted: content not stored, or nothing git records. */
  readonly omitted: string[]
}

/**
 * Sections are sorted by path. Git has no folders, so they are dropped silently. A file is omitted and named when its content
 * is not stored, when git refuses its name, or when only mode bits changed that git does not record.
 */
export function formatPatch(changes: readonly PatchInput[]): Patch {
  return format(changes, 'git')
}

/** A patch to be read: text of every encoding is converted to UTF-8, and the header names its encoding. Git cannot apply it. */
export function formatForReading(changes: readonly PatchInput[]): Patch {
  return format(changes, 'reading')
}

type Use = 'git' | 'reading'

function format(changes: readonly PatchInput[], use: Use): Patch {
  const sections: Buffer[] = []
  const omitted: string[] = []
  const sorted = [...changes].sort((a, b) => comparePaths(a.change.path, b.change.path))
  for (const input of sorted) {
    const built = changeSections(input, use)
    if (built === 'omitted') omitted.push(input.change.path)
    else sections.push(...built)
  }
  return { patch: Buffer.concat(sections), omitted }
}

/** One side of a change as git records it. `bytes` is null when the content is not stored. */
interface Entry {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  readonly bytes: Uint8Array | null
  /** Equal keys mean equal content, even if it is not stored; null = unknown. */
  readonly key: string | null
}

function changeSections({ change, before, after }: PatchInput, use: Use): Buffer[] | 'omitted' {
  const old = toEntry(change.oldPath ?? change.path, change.before, before)
  const now = toEntry(change.path, change.after, after)
  if (old === 'unsupported' || now === 'unsupported') return 'omitted'
  if (!old && !now) return []
  if (old && now && isLink(old) === isLink(now)) {
    return isProvablySame(change.before, change.after) && old.path === now.path ? [] : changedSection(old, now, use)
  }
  // Git has no change from a file to a link: it is a deletion followed by a creation.
  const deleted = old ? oneSidedSection(old, 'deleted', use) : []
  const created = now ? oneSidedSection(now, 'new', use) : []
  return deleted === 'omitted' || created === 'omitted' ? 'omitted' : [...deleted, ...created]
}

/** Null for a side without a file; `unsupported` for one that git cannot record. */
function toEntry(path: string, version: FileVersion, bytes: Uint8Array | null): Entry | null | 'unsupported' {
  const { kind, target, hash } = version
  if (kind === 'absent' || kind === 'dir') return null
  if (kind === 'file' && !isRefusedByGit(path, false)) {
    // Git records one mode bit: whether the owner may execute.
    return { path, mode: version.mode & 0o100 ? '100755' : '100644', bytes, key: hash }
  }
  if (kind === 'symlink' && target !== null && !isRefusedByGit(path, true)) {
    return { path, mode: '120000', bytes: Buffer.from(target), key: target }
  }
  return 'unsupported'
}

function isLink(entry: Entry): boolean {
  return entry.mode === '120000'
}

function oneSidedSection(only: Entry, what: 'new' | 'deleted', use: Use): Buffer[] | 'omitted' {
  if (!only.bytes) return 'omitted'
  const header = [headerLine(only.path, only.path), `${what} file mode ${only.mode}`]
  const isNew = what === 'new'
  return [
    contentSection(header, {
      old: isNew ? null : { path: only.path, bytes: only.bytes },
      now: isNew ? { path: only.path, bytes: only.bytes } : null,
      mode: '',
      use
    })
  ]
}

function changedSection(old: Entry, now: Entry, use: Use): Buffer[] | 'omitted' {
  const moved = old.path !== now.path
  const equal = old.key !== null && old.key === now.key
  if (equal && !moved && old.mode === now.mode) return 'omitted'
  if (!equal && !(old.bytes && now.bytes)) return 'omitted'
  const header = [headerLine(old.path, now.path)]
  if (old.mode !== now.mode) header.push(`old mode ${old.mode}`, `new mode ${now.mode}`)
  if (moved) {
    header.push(`similarity index ${similarityIndex(old, now, equal)}%`)
    header.push(`rename from ${quoteName(old.path)}`, `rename to ${quoteName(now.path)}`)
  }
  if (equal || !old.bytes || !now.bytes) return [Buffer.from(`${header.join('\n')}\n`)]
  return [
    contentSection(header, {
      old: { path: old.path, bytes: old.bytes },
      now: { path: now.path, bytes: now.bytes },
      mode: old.mode === now.mode ? ` ${now.mode}` : '',
      use
    })
  ]
}

function headerLine(oldPath: string, path: string): string {
  return `diff --git ${quoteNameInHeader(`a/${oldPath}`)} ${quoteNameInHeader(`b/${path}`)}`
}

function similarityIndex(old: Entry, now: Entry, equal: boolean): number {
  if (equal || !old.bytes || !now.bytes) return 100
  return Math.min(99, Math.floor(contentSimilarity(old.bytes, now.bytes) * 100))
}

interface Contents {
  readonly old: { readonly path: string; readonly bytes: Uint8Array } | null
  readonly now: { readonly path: string; readonly bytes: Uint8Array } | null
  /** " 100644" after the ids when both sides have that mode. */
  readonly mode: string
  readonly use: Use
}

const EMPTY = new Uint8Array(0)

/** Header, index line and content: hunks for UTF-8 and, in a patch to be read, for any text; otherwise both versions in full. */
function contentSection(header: readonly string[], { old, now, mode, use }: Contents): Buffer {
  const ids = `${old ? blobId(old.bytes) : NULL_ID}..${now ? blobId(now.bytes) : NULL_ID}`
  const lines = [...header, `index ${ids}${mode}`]
  const before = old?.bytes ?? EMPTY
  const after = now?.bytes ?? EMPTY
  const encodings = encodingsOf(before, after)
  const plain = encodings.before === 'utf8' && encodings.after === 'utf8'
  if (!hasLines(before, after) || !(plain || use === 'reading'))
    return Buffer.from(`${lines.join('\n')}\n${binarySection(before, after)}`)
  if (!plain) lines.push(`encoding ${encodingName(encodings)}`)
  const hunks = formatHunks(before, after, plain ? null : encodings)
  if (hunks.length > 0) {
    lines.push(`--- ${old ? quoteNameInFileLine(`a/${old.path}`) : '/dev/null'}`)
    lines.push(`+++ ${now ? quoteNameInFileLine(`b/${now.path}`) : '/dev/null'}`)
  }
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), hunks])
}
