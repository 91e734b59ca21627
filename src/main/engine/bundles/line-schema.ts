/**
 * The lines of a bundle (docs/bundles.md): a JSON object each, in the order of the sections below. What a bundle says is
 * checked by these schemas before anything else sees it, because anybody may have written it.
 */
import { z } from 'zod'
import { once } from '../../../contract/param-types.ts'
import { isContained, isOwnName } from '../files/paths.ts'

/** Of the format. A bundle of a later version is refused. */
export const BUNDLE_VERSION = 1

/** Larger bundles are neither written nor read. */
export const BUNDLE_LIMITS = {
  /** One line, characters. */
  line: 4 * 1024 * 1024,
  /** All lines together, unpacked, bytes. */
  bytes: 512 * 1024 * 1024,
  /** Lines of one section. */
  lines: 200_000,
  /** Bytes of content or of the patch in one line. */
  piece: 1024 * 1024
}

/**
 * A path in the folder that can be neither outside of it on any system, nor git's own or one of our temporary files. A
 * backslash separates names on Windows, and a colon there names a disk.
 */
export function isBundlePath(path: string): boolean {
  if (path.length > 4096 || !path.isWellFormed() || path.includes('\\') || /^[A-Za-z]:/.test(path)) return false
  const parts = path.split('/')
  return isContained(path) && !parts.some((part) => /^(\.git|git~1)[. ]*$/i.test(part) || isOwnName(part))
}

/** Made at the first line, because making them takes as long as reading a small folder. */
const schemas = once(() => {
  const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
  const time = z.number().int().min(0).max(8.64e15)
  const id = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/)
  const name = z.string().max(65_536)
  const text = z.string().max(BUNDLE_LIMITS.line)
  const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
  const path = z.string().refine(isBundlePath, 'no path inside the folder')

  /** What a path is at one moment. `content` is the id of a `content` line. */
  const version = z.strictObject({
    kind: z.enum(['absent', 'file', 'symlink', 'dir', 'unknown']),
    mode: z.number().int().min(0).max(0o7777).exactOptional(),
    size: count.exactOptional(),
    content: count.exactOptional(),
    target: z.string().max(8192).exactOptional(),
    /** Why a file has no content. */
    reason: z
      .enum([
        'too-large',
        'unreadable',
        'changing',
        'ignored',
        'never',
        'name',
        'workspace',
        'pruned',
        'damaged',
        'hidden'
      ])
      .exactOptional()
  })

  const header = z.strictObject({
    driftline: z.literal('bundle'),
    version: z.number().int().min(1),
    exportedAt: time,
    /** Version of Driftline. */
    by: z.string().max(100),
    folder: name,
    run: z.strictObject({
      id,
      title: name,
      /** What a person wrote about it (RN-3). */
      label: name.exactOptional(),
      note: name.exactOptional(),
      agent: z.string().min(1).max(100),
      state: z.enum(['ended', 'interrupted']),
      startedAt: time,
      endedAt: time,
      exitCode: z.number().int().nullable(),
      completion: z.enum(['', 'completed', 'cancelled', 'error', 'interrupted']),
      /** Which changes count as its own (RN-2). */
      attributed: z.enum(['tool-calls', 'all-changes']),
      drifted: z.boolean(),
      incomplete: z.boolean()
    })
  })

  /** Positions count the edits of the bundle: `start` 3 is after its third edit. */
  const turn = z.strictObject({
    id,
    prompt: text,
    startedAt: time,
    endedAt: time.nullable(),
    start: count,
    end: count
  })

  const call = z.strictObject({
    id,
    turn: id,
    name: z.string().max(1000),
    summary: text,
    paths: z.array(z.string().max(8192)).max(10_000),
    subagent: z.string().max(1000).nullable(),
    wholeFolder: z.boolean(),
    complete: z.boolean(),
    state: z.enum(['done', 'failed', 'abandoned']),
    startedAt: time,
    endedAt: time,
    start: count,
    end: count,
    output: z.strictObject({ text, cut: z.boolean() }).exactOptional()
  })

  const edit = z.strictObject({
    path,
    before: version,
    after: version,
    /** The turn and the tool call of the run that made it; neither of an edit of others. */
    turn: id.exactOptional(),
    call: id.exactOptional(),
    attribution: z.enum(['none', 'declared', 'inferred', 'shared']),
    at: time,
    /** The edit by which another path lost the content that came here, counted from 1: a rename. */
    movedFrom: count.exactOptional()
  })

  /** An ATIF trajectory without its steps, and the steps (atif.ts). */
  const trajectory = z.looseObject({
    schema_version: z.string().max(20),
    session_id: z.string().max(128),
    agent: z.looseObject({ name: z.string().max(100), model_name: z.string().max(200).exactOptional() })
  })
  const step = z.looseObject({
    step_id: count.min(1),
    timestamp: z.string().max(40).exactOptional(),
    source: z.enum(['system', 'user', 'agent']),
    message: text,
    extra: z.looseObject({ turn: id.exactOptional() }).exactOptional()
  })

  const comment = z.strictObject({
    id,
    at: time,
    text: z.string().min(1).max(20_000),
    resolved: z.boolean(),
    replyTo: id.exactOptional(),
    path: path.exactOptional(),
    line: count.min(1).exactOptional(),
    endLine: count.min(1).exactOptional(),
    /** `step_id` of the message it is on. */
    step: count.exactOptional(),
    /** The tool call that it is on. */
    call: id.exactOptional()
  })

  const content = z.strictObject({ id: count, size: count, sha256, masked: z.boolean().exactOptional() })

  /** Each section is one key; lines of a section follow each other, and sections are in this order. */
  const sections = {
    turn,
    call,
    content,
    /** Base64, a part of the content or the patch of the line before. */
    bytes: z.string().max(2 * BUNDLE_LIMITS.piece),
    edit,
    trajectory,
    step,
    comment,
    finding: z.unknown(),
    patch: z.string().max(2 * BUNDLE_LIMITS.piece),
    end: z.strictObject({ lines: count, maskedLines: count, hiddenFiles: count })
  } as const

  return { version, header, sections }
})
type Schemas = ReturnType<typeof schemas>

export type BundleVersion = z.infer<Schemas['version']>
export type Section = keyof Schemas['sections']
export type BundleHeader = z.infer<Schemas['header']>
export type BundleLine = {
  [S in Section]: { readonly section: S; readonly value: z.infer<Schemas['sections'][S]> }
}[Section]
export type ValueOf<S extends Section> = Extract<BundleLine, { section: S }>['value']

/** `bytes` are between the lines of contents. */
const RANK: Readonly<Record<Section, number>> = {
  turn: 0,
  call: 1,
  content: 2,
  bytes: 2,
  edit: 3,
  trajectory: 4,
  step: 5,
  comment: 6,
  finding: 7,
  patch: 8,
  end: 9
}

export function rankOf(section: Section): number {
  return RANK[section]
}

/** The version that a header says, whatever else it holds; null for what is no bundle. */
export function bundleVersionOf(line: string): number | null {
  const parsed = parseJson(line)
  const { driftline, version } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<
    string,
    unknown
  >
  return driftline === 'bundle' && Number.isSafeInteger(version) ? (version as number) : null
}

/** Null for a line that is no header of this version. */
export function parseHeader(line: string): BundleHeader | null {
  return schemas().header.safeParse(parseJson(line)).data ?? null
}

/** Null for a line that is none of this version. */
export function parseLine(line: string): BundleLine | null {
  const parsed = parseJson(line)
  if (typeof parsed !== 'object' || parsed === null) return null
  const { sections } = schemas()
  const [section, ...others] = Object.keys(parsed)
  if (section === undefined || others.length > 0 || !Object.hasOwn(sections, section)) return null
  const checked = sections[section as Section].safeParse((parsed as Record<string, unknown>)[section])
  return checked.success ? ({ section, value: checked.data } as BundleLine) : null
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
