/** The input and output of the text view: two texts with labels, its options, and the reader's position. */
import type { FileDiff, LineBlock, LineRange, TextHunk } from '../../../contract/diff.ts'
import type { DiffViewKind } from './diff-view-kind.ts'
import { onEditorLines } from './hunk-spans.ts'
import { maskSecrets } from './mask.ts'

export interface TextDoc {
  /** Identifies the content: a changed key loads the texts into the editor. */
  readonly key: string
  /** What is compared: a newer version of the same keeps the reader's place. */
  readonly comparison: string
  readonly path: string
  readonly oldPath: string
  readonly before: string
  readonly after: string
  readonly beforeLabel: string
  readonly afterLabel: string
  /** `added` and `deleted` show one side as text without comparison. */
  readonly shape: 'changed' | 'added' | 'deleted'
  /** Without syntax highlighting. */
  readonly plain: boolean
  /** Hunks that can be undone one by one; empty if that is not offered. */
  readonly hunks: readonly TextHunk[]
  /** All lines of a file that the run made: it is decided as a whole, or selected lines of it are; null for any other. */
  readonly made: TextHunk | null
  /** What differs, without any of it being offered; null: the editor finds it. */
  readonly blocks: readonly LineBlock[] | null
  /** Lines of the earlier text that others wrote meanwhile; they are in the later one, too. */
  readonly othersLines: readonly LineRange[]
}

/** What the editor keeps of a text on screen. */
export type ShownFile = Pick<
  TextDoc,
  'comparison' | 'path' | 'shape' | 'beforeLabel' | 'afterLabel' | 'othersLines' | 'made'
>

export const NO_FILE: ShownFile = {
  ...{ comparison: '', path: '', shape: 'changed', beforeLabel: '', afterLabel: '', othersLines: [], made: null }
}

/** Number of characters above which syntax highlighting is off. */
export const PLAIN_ABOVE = 1_000_000

/** `ignore-ends`: what differs only at the ends of lines is not shown; `ignore-all`: inside them, too. */
export type WhitespaceMode = 'show' | 'ignore-ends' | 'ignore-all'

export interface TextOptions {
  readonly split: boolean
  readonly whitespace: WhitespaceMode
  readonly hideUnchanged: boolean
  /** null: by the kind of the file. */
  readonly wrap: boolean | null
}

/** Whether long lines of a file are wrapped: those of prose, unless a person chose. */
export function wrapsLines({ wrap }: Pick<TextOptions, 'wrap'>, path: string): boolean {
  return wrap ?? /\.(md|markdown|mdx|txt|rst|adoc)$/i.test(path)
}

/** How a text is shown in the end. */
export interface ShownText {
  /** The comparison stopped at its time limit. */
  readonly stopped: boolean
  /** Shown in two columns whatever the options say: too many deleted lines for the inline view. */
  readonly tooLongForInline: boolean
}

/** Lines of one side, from 1, both included. */
export interface PointedLines {
  readonly side: 'before' | 'after'
  readonly from: number
  readonly to: number
}

/** A point of the shown text. */
export interface TextPoint {
  /** Line of the later text; null beside it, as on a deleted line. */
  readonly line: number | null
  /** The selected text; "" for none. */
  readonly selection: string
  /** Number of selected lines that can be kept or undone by themselves. */
  readonly lines: number
  /** The lines at the point or of the selection, on either side; null beside the text. */
  readonly pointed: PointedLines | null
}

/** The reader's position among the changes. `index` is 1-based; 0 if there are none. */
export interface ChangePosition {
  readonly index: number
  readonly total: number
  /** Number of hunks that are not shown, because they change only whitespace that is ignored. */
  readonly hidden: number
  /** Number of selected lines that can be kept or undone by themselves. */
  readonly lines: number
}

/** Of a text that is not known. */
export const NO_POSITION: ChangePosition = { index: 0, total: 0, hidden: 0, lines: 0 }

/** Where a reader of a text is before anything moved. */
export function firstPosition({ hunks, blocks }: Pick<TextDoc, 'hunks' | 'blocks'>): ChangePosition {
  const total = hunks.length || (blocks?.length ?? 0)
  return { index: Math.min(1, total), total, hidden: 0, lines: 0 }
}

/** Time limit of a comparison, ms. */
export const DIFF_MS = 1000

/** The same while the text is there without it: on a busy computer nothing that is right is replaced by a rough result. */
export const COVERED_DIFF_MS = 10_000

/** An element below a line of one side. */
export interface PlacedZone {
  readonly key: string
  readonly side: 'before' | 'after'
  /** From 1. */
  readonly line: number
  readonly element: HTMLElement
}

/** Builds the texts for the editor from the diff of a file. Pure. */
interface DocInput {
  readonly diff: FileDiff
  readonly view: DiffViewKind
  readonly key: string
  readonly comparison: string
  readonly revealed: boolean
  readonly plain: boolean
  readonly labels: { readonly before: string; readonly after: string }
  readonly blocks?: readonly LineBlock[] | null
}

/** SVG is an image that is also text. */
export function isSvg(diff: FileDiff): boolean {
  return diff.view === 'image' && diff.mime === 'image/svg+xml'
}

/** The texts, with secrets masked unless `revealed`; null if the view shows no text. */
export function buildTextDoc(input: DocInput): TextDoc | null {
  const { diff, view, key, comparison, revealed, plain, labels, blocks = null } = input
  const texts =
    view.kind === 'text' && diff.view === 'text'
      ? { before: diff.beforeText, after: diff.afterText, shape: view.shape }
      : view.kind === 'text' && diff.view === 'image'
        ? { before: decode(diff.beforeBase64), after: decode(diff.afterBase64), shape: view.shape }
        : null
  if (!texts) return null
  const masked = diff.secret && !revealed
  const isRun = diff.view === 'text' && texts.shape === 'changed'
  const hunks = diff.view === 'text' ? onEditorLines(diff.hunks ?? [], diff.beforeText, diff.afterText) : []
  const { before, after } = masked ? maskSecrets(texts.before, texts.after) : texts
  return {
    key: `${key}${masked ? ' masked' : ''}${plain ? ' plain' : ''} ${texts.shape}`,
    comparison,
    path: diff.path,
    oldPath: diff.oldPath ?? '',
    before,
    after,
    beforeLabel: `${labels.before}, ${diff.oldPath ?? diff.path}`,
    afterLabel: `${labels.after}, ${diff.path}`,
    shape: texts.shape,
    plain,
    blocks,
    hunks: isRun ? hunks : [],
    made: texts.shape === 'added' ? (hunks[0] ?? null) : null,
    othersLines: isRun ? onEditorLines(diff.othersLines ?? [], diff.beforeText, diff.afterText) : []
  }
}

function decode(base64: string | null): string {
  if (base64 === null) return ''
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
}
