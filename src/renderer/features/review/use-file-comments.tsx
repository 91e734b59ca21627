/**
 * The comments of the file in the diff: those on lines of the shown text, which the diff draws there; those on none,
 * for a list above it; drafts, and the open box.
 */
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { FileChange, FileDiff } from '../../../contract/diff.ts'
import type { Comment } from '../../../contract/review.ts'
import { useQuery } from '../../client/use-query.ts'
import type { Selection } from '../../model/diff-selection.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { announce } from '../../ui/live-region.tsx'
import { CommentBox } from './comment-box.tsx'
import {
  type CommentLines,
  linesOfText,
  type PlacedThread,
  placeThreads,
  type ShownLines,
  type Side
} from './comment-places.ts'
import { CommentThread } from './comment-thread.tsx'
import { DraftBar } from './draft-bar.tsx'
import { useDraftKeys } from './drafts.ts'
import { useCommentActions } from './use-comment-actions.ts'

/** Something below a line of one side of the diff. */
export interface LineZone {
  readonly key: string
  readonly side: Side
  /** From 1. */
  readonly line: number
  readonly content: ReactNode
}

export interface FileComments {
  readonly zones: readonly LineZone[]
  /** Threads on no line of the shown text. */
  readonly apart: readonly PlacedThread[]
  /** The box for a comment on the whole file, if it is open. */
  readonly fileBox: ReactNode
  /** Opens the box below some lines; null: for the whole file. */
  open(lines: CommentLines | null): void
}

const NONE: readonly Comment[] = []

/** The lines of a diff that is on screen. */
export function useShownLines(diff: FileDiff | null): ShownLines {
  return useMemo(
    () =>
      diff?.view === 'text'
        ? { before: linesOfText(diff.beforeText), after: linesOfText(diff.afterText) }
        : { before: null, after: null },
    [diff]
  )
}

export function useFileComments(selection: Selection, file: FileChange | null, text: ShownLines): FileComments {
  const { before, after } = useShownComments(selection, file)
  const path = file?.path ?? ''
  const oldPath = file?.oldPath ?? path
  const threads = useMemo(
    () =>
      placeThreads(
        { path, comments: after, lines: text.after },
        { path: oldPath, comments: before, lines: text.before }
      ),
    [path, oldPath, after, before, text]
  )
  const boxes = useBoxes(selection, path, oldPath, text)
  const zones = useMemo(
    () => [
      ...threads.flatMap((thread) =>
        thread.lines
          ? [
              {
                key: thread.comment.id,
                side: thread.lines.side,
                line: thread.lines.to,
                content: <CommentThread {...thread} />
              }
            ]
          : []
      ),
      ...boxes.zones
    ],
    [threads, boxes.zones]
  )
  const apart = useMemo(() => threads.filter(({ lines }) => !lines), [threads])
  return { zones, apart, fileBox: boxes.fileBox, open: boxes.open }
}

/** The comments as they are on both sides of the comparison: those of its run, else all that are not resolved. */
function useShownComments({ query, run, drift }: Selection, file: FileChange | null) {
  const { workspace } = query
  const filter = run === undefined || drift ? { unresolved: true } : { run }
  const sides = sidesOf(query)
  const request = (at: string | undefined) => ({ workspace, ...filter, ...(at === undefined ? {} : { at }) })
  const live = sides.after === undefined
  const after = useQuery('comments.list', file && request(sides.after), { live })
  const before = useQuery('comments.list', file && request(sides.before))
  return { after: after.data?.comments ?? NONE, before: before.data?.comments ?? NONE }
}

/** The positions of a comparison; undefined: the present. */
function sidesOf({ target, scope, to }: Selection['query']): Readonly<Record<Side, string | undefined>> {
  const after = scope === undefined ? to : `${target}:end`
  return { before: target === 'now' ? undefined : target, after: after === 'now' ? undefined : after }
}

/** The box that is open, and the drafts of others. */
function useBoxes(selection: Selection, path: string, oldPath: string, text: ShownLines) {
  const { workspace } = useOpenWorkspace()
  const { add } = useCommentActions()
  const drafts = useDraftKeys()
  const [open, setOpen] = useState<string | null>(null)
  const opener = useRef<Element | null>(null)
  const prefix = `${JSON.stringify([workspace.id, selection.query.target, selection.query.to ?? '', path])} `
  const close = () => {
    setOpen(null)
    const back = opener.current
    requestAnimationFrame(() => {
      if (back instanceof HTMLElement && back.isConnected) back.focus()
    })
  }
  const box = (key: string, lines: CommentLines | null, note: string | null): ReactNode => {
    const at = lines ? ` ${placeOf(lines)}` : ''
    const onFile = lines?.side === 'before' ? oldPath : path
    return (
      <CommentBox
        key={key}
        label={lines ? `Comment on${at}` : `Comment on ${path}`}
        draftKey={key}
        note={note}
        onSave={async (value) => {
          const shown = lines ? (text[lines.side]?.slice(lines.from - 1, lines.to) ?? null) : null
          const target = lines?.side === 'before' ? selection.query.target : targetOf(selection)
          await add({ target, path: onFile, ...(lines ? { lines } : {}) }, value, shown)
          announce('Comment saved.')
        }}
        onClose={close}
      />
    )
  }
  const note = noteOf(selection)
  const zones = drafts
    .map(([key]) => key)
    .concat(open !== null && !drafts.some(([key]) => key === open) ? [open] : [])
    .filter((key) => key.startsWith(prefix))
    .flatMap((key): LineZone[] => {
      const lines = JSON.parse(key.slice(prefix.length)) as CommentLines | null
      if (!lines || lines.to > (text[lines.side]?.length ?? 0)) return []
      const draft = drafts.find(([each]) => each === key)?.[1] ?? ''
      const content =
        key === open ? (
          box(key, lines, note)
        ) : (
          <DraftBar key={key} draftKey={key} text={draft} onOpen={() => setOpen(key)} />
        )
      return [{ key: `box ${key}`, side: lines.side, line: lines.to, content }]
    })
  const fileKey = `${prefix}null`
  const fileDraft = drafts.find(([key]) => key === fileKey)?.[1]
  return {
    zones,
    fileBox:
      open === fileKey ? (
        box(fileKey, null, note)
      ) : fileDraft === undefined ? null : (
        <DraftBar draftKey={fileKey} text={fileDraft} onOpen={() => setOpen(fileKey)} />
      ),
    open: (lines: CommentLines | null) => {
      opener.current = document.activeElement
      setOpen(`${prefix}${JSON.stringify(lines)}`)
    }
  }
}

function placeOf({ side, from, to }: CommentLines): string {
  const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`
  return side === 'before' ? `${lines} before the change` : lines
}

function targetOf({ query: { target, scope, to } }: Selection): string {
  return scope === undefined ? (to ?? 'now') : target
}

/** A comment on a version that no run wrote reaches no agent. */
function noteOf({ run, drift }: Selection): string | null {
  return run !== undefined && !drift ? null : 'No agent’s run is shown, so no agent gets it.'
}
