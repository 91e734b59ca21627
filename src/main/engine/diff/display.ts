/** Prepares one file of a diff for display: chooses the view that fits its content, and decodes it. */
import type { DiffBase, FileDiff, LineBlock, LineRange, TextHunk } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { toFileVersion } from '../store/versions.ts'
import { eolChange, hasHiddenCharacters, isLargeText, LIMITS, measureLines } from './classify.ts'
import { imageMime, sniffType } from './content-type.ts'
import { changeKind, isSecret, notStoredReason } from './describe-changes.ts'
import { decodeAs, encodingsOf, isText } from './encoding.ts'
import type { FileReview, UndoneHunk } from './file-review.ts'
import { diffBlocks, groupHunks } from './line-diff.ts'
import { commonUnit, splitBoth, splitLines } from './lines.ts'

/** One side of a change. `bytes` is null for anything but a file, and for a file whose content is not stored. */
export interface ChangeSide {
  readonly version: FileVersion
  readonly bytes: Uint8Array | null
}

interface FileDiffInput {
  readonly path: string
  readonly oldPath?: string
  readonly before: ChangeSide
  readonly after: ChangeSide
  /** Include large text. Content over `LIMITS.opaqueBytes` stays opaque. */
  readonly full?: boolean
  /** For the change of a run, a turn or an outside change: which parts of it can be undone, or are. */
  readonly own?: Pick<FileReview, 'undoneBy' | 'partlyUndoneBy' | 'hunks' | 'between' | 'mixed'> & {
    /** The content before the first own edit, if `before` has edits of others since then. */
    readonly startBytes?: Uint8Array | null
  }
}

const EMPTY = new Uint8Array(0)

/**
 * The view of one changed path. If one side is a file and the other a link or folder, the file is shown against empty
 * content. SVG is returned as text, from which the window draws the image.
 */
export function fileDiff(input: FileDiffInput): FileDiff {
  const before = input.before.version
  const after = input.after.version
  const base: DiffBase = {
    path: input.path,
    ...(input.oldPath === undefined ? {} : { oldPath: input.oldPath }),
    change: input.oldPath === undefined ? changeKind({ before, after }) : 'renamed',
    before: toFileVersion(before),
    after: toFileVersion(after),
    secret: isSecret(input),
    ...(input.own ? reviewFields(input.own) : {})
  }
  const reason = missingContent(input.before) ?? missingContent(input.after)
  if (reason) return { ...base, view: 'not-kept', reason }
  if (before.kind !== 'file' && after.kind !== 'file') return { ...base, ...viewWithoutContent(before, after) }
  return { ...base, ...viewOfContent(input) }
}

function reviewFields({ undoneBy, partlyUndoneBy, between, mixed }: NonNullable<FileDiffInput['own']>) {
  return { undoneBy, partlyUndoneBy, between, mixed }
}

function missingContent({ version, bytes }: ChangeSide) {
  if (version.kind === 'special' || (version.kind === 'file' && bytes !== null)) return null
  return notStoredReason(version) ?? (version.kind === 'file' ? 'pruned' : null)
}

function viewWithoutContent(before: FileVersion, after: FileVersion) {
  const kinds = [before.kind, after.kind]
  if (kinds.includes('special')) return { view: 'opaque', type: 'special file' } as const
  return kinds.includes('symlink') ? ({ view: 'link' } as const) : ({ view: 'dir' } as const)
}

function viewOfContent({ path, oldPath, before, after, full, own }: FileDiffInput) {
  const old = before.version.kind === 'file' ? before.bytes : null
  const now = after.version.kind === 'file' ? after.bytes : null
  const contents = [old, now].filter((bytes) => bytes !== null)
  const newest = now ?? old ?? EMPTY
  if (contents.some((bytes) => bytes.length > LIMITS.opaqueBytes)) {
    return { view: 'opaque', type: sniffType(newest) } as const
  }
  const mime = imageOf(now, path) ?? imageOf(old, oldPath ?? path)
  if (mime && contents.every((bytes) => bytes.length === 0 || imageMime(path, bytes))) {
    return { view: 'image', mime, beforeBase64: base64(old), afterBase64: base64(now) } as const
  }
  const binary = contents.find((bytes) => !isText(bytes))
  if (binary) return { view: 'opaque', type: sniffType(binary) } as const
  if (!full && contents.some(isLargeText)) {
    return { view: 'large', lines: Math.max(...contents.map((bytes) => measureLines(bytes).lines)) } as const
  }
  const shown = viewOfText(old ?? EMPTY, now ?? EMPTY)
  if (!own) return shown
  const hasBefore = old !== null || before.version.kind === 'absent'
  const divisible = hasBefore && now !== null && own.hunks !== null && areMergeable(contents)
  const othersLines = divisible && old && own.startBytes ? addedLines(own.startBytes, old) : []
  return { ...shown, hunks: divisible ? numberedHunks(old ?? EMPTY, now, own.hunks ?? []) : [], othersLines }
}

function addedLines(before: Uint8Array, after: Uint8Array): LineRange[] {
  return diffBlocks(splitLines(before), splitLines(after))
    .map(({ newFrom, newTo }) => ({ from: newFrom, to: newTo }))
    .filter(({ from, to }) => to > from)
}

function viewOfText(before: Uint8Array, after: Uint8Array) {
  const encodings = encodingsOf(before, after)
  const [beforeText, afterText] = [decodeAs(before, encodings.before), decodeAs(after, encodings.after)]
  return {
    view: 'text',
    beforeText,
    afterText,
    encodings,
    hidden: hasHiddenCharacters(beforeText) || hasHiddenCharacters(afterText),
    eolOnly: eolChange(beforeText, afterText)
  } as const
}

/** Whether single hunks can be undone: the same conditions as for a merge. */
function areMergeable(contents: readonly Uint8Array[]): boolean {
  return (
    commonUnit(contents) !== null && contents.every((bytes) => bytes.length <= LIMITS.comparedBytes && isText(bytes))
  )
}

const IN_FORCE: UndoneHunk = { undoneBy: null, undoneLines: [] }

/** The lines of two texts that differ; null where lines of one cannot be compared with those of the other. */
export function comparableBlocks(before: Uint8Array | null, after: Uint8Array | null): LineBlock[] | null {
  const [old, now] = [before ?? EMPTY, after ?? EMPTY]
  return areMergeable([old, now]) ? diffBlocks(...splitBoth(old, now)) : null
}

/** Numbered as in a patch of the contents that are shown. */
function numberedHunks(before: Uint8Array, after: Uint8Array, undone: readonly UndoneHunk[]): TextHunk[] {
  const old = splitLines(before)
  return groupHunks(diffBlocks(old, splitLines(after)), old.count).map(({ blocks }, i) => {
    const { oldFrom, newFrom } = blocks[0]!
    const { oldTo, newTo } = blocks.at(-1)!
    return { n: i + 1, oldFrom, oldTo, newFrom, newTo, blocks, ...(undone[i] ?? IN_FORCE) }
  })
}

function imageOf(bytes: Uint8Array | null, path: string): string | null {
  const mime = bytes && imageMime(path, bytes)
  return mime === 'image/svg+xml' ? null : mime
}

function base64(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
