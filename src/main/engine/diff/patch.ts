/** Changes as a patch in git's format, which `git apply` and `git apply -R` take; or one that is only to be read. */
import { encodingWords } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { surelySame } from '../log/same-version.ts'
import { encodingsOf } from './encoding.ts'
import { binarySection, blobId, NULL_ID } from './git-blob.ts'
import { isRefusedByGit, quoteName, quoteNameInFileLine, quoteNameInHeader } from './git-names.ts'
import { formatHunks } from './hunk-text.ts'
import { hasLines } from './line-counts.ts'
import { comparePaths } from './path-order.ts'
import { contentSimilarity } from './similarity.ts'
import type { PathChange } from './types.ts'

/** A change with the bytes of its files; null for what is not a file or is not kept. */
export interface PatchInput {
  readonly change: PathChange
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
}

export interface Patch {
  readonly patch: Buffer
  /** Paths whose change the patch does not carry, though it is more than a folder's: content not kept, or not git's. */
  readonly omitted: string[]
}

/**
 * The patch of `changes`, in the order of their paths. Folders and their modes are left out, as git has none. A file
 * is omitted and named when content it needs is not kept, when git refuses its name, or when only mode bits changed
 * that git does not record.
 */
export function formatPatch(changes: readonly PatchInput[]): Patch {
  return format(changes, 'git')
}

/** The same to be read by people: text of every encoding as UTF-8, with its encoding in the header. Git does not take it. */
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

/** What git sees at a path on one side. `bytes` is null when the content is not kept. */
interface Entry {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  readonly bytes: Uint8Array | null
  /** Equal keys are equal content, even if it is not kept; null when that is not known. */
  readonly key: string | null
}

function changeSections({ change, before, after }: PatchInput, use: Use): Buffer[] | 'omitted' {
  const old = entry(change.oldPath ?? change.path, change.before, before)
  const now = entry(change.path, change.after, after)
  if (old === 'unfit' || now === 'unfit') return 'omitted'
  if (!old && !now) return []
  if (old && now && isLink(old) === isLink(now)) {
    return surelySame(change.before, change.after) && old.path === now.path ? [] : changedSection(old, now, use)
  }
  // Git has no change of a file into a link: it is taken away and made anew, in that order.
  const gone = old ? oneSidedSection(old, 'deleted', use) : []
  const made = now ? oneSidedSection(now, 'new', use) : []
  return gone === 'omitted' || made === 'omitted' ? 'omitted' : [...gone, ...made]
}

function entry(path: string, version: FileVersion, bytes: Uint8Array | null): Entry | null | 'unfit' {
  const { kind, target, hash } = version
  if (kind === 'absent' || kind === 'dir') return null
  if (kind === 'file' && !isRefusedByGit(path, false)) {
    // Git knows one mode bit: whether the owner may execute.
    return { path, mode: version.mode & 0o100 ? '100755' : '100644', bytes, key: hash }
  }
  if (kind === 'symlink' && target !== null && !isRefusedByGit(path, true)) {
    return { path, mode: '120000', bytes: Buffer.from(target), key: target }
  }
  return 'unfit'
}

function isLink(entry: Entry): boolean {
  return entry.mode === '120000'
}

function oneSidedSection(only: Entry, what: 'new' | 'deleted', use: Use): Buffer[] | 'omitted' {
  if (!only.bytes) return 'omitted'
  const header = [headerLine(only.path, only.path), `${what} file mode ${only.mode}`]
  const made = what === 'new'
  return [
    contentSection(header, {
      old: made ? null : { path: only.path, bytes: only.bytes },
      now: made ? { path: only.path, bytes: only.bytes } : null,
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

/** A header with the index line and the content: hunks for UTF-8, or to be read for any text, both versions in full for all else. */
function contentSection(header: readonly string[], { old, now, mode, use }: Contents): Buffer {
  const ids = `${old ? blobId(old.bytes) : NULL_ID}..${now ? blobId(now.bytes) : NULL_ID}`
  const lines = [...header, `index ${ids}${mode}`]
  const before = old?.bytes ?? EMPTY
  const after = now?.bytes ?? EMPTY
  const encodings = encodingsOf(before, after)
  const plain = encodings.before === 'utf8' && encodings.after === 'utf8'
  if (!hasLines(before, after) || !(plain || use === 'reading'))
    return Buffer.from(`${lines.join('\n')}\n${binarySection(before, after)}`)
  if (!plain) lines.push(`encoding ${encodingWords(encodings)}`)
  const hunks = formatHunks(before, after, plain ? null : encodings)
  if (hunks.length > 0) {
    lines.push(`--- ${old ? quoteNameInFileLine(`a/${old.path}`) : '/dev/null'}`)
    lines.push(`+++ ${now ? quoteNameInFileLine(`b/${now.path}`) : '/dev/null'}`)
  }
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), hunks])
}
