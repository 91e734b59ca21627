/** One file of the scroll of all files: its header, which stays in view, and its diff unless it is folded. */
import { memo, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { FileChange } from '../../../../contract/diff.ts'
import { type Selection, verbOf } from '../../../model/diff-selection.ts'
import { restoreUnavailable } from '../../../state/derived.ts'
import { useFileActions, useOpenWorkspace, useWorkspaceState } from '../../../state/open-workspace.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { PaneBoundary } from '../../../ui/pane-boundary.tsx'
import { FileComments } from '../../review/file-comments.tsx'
import { DiffBody } from '../diff-body.tsx'
import type { DiffCommands } from '../diff-keys.ts'
import { DiffMenu } from '../diff-menu.tsx'
import { diffViewKind } from '../diff-view-kind.ts'
import type { EditorPool } from '../editor-pool.ts'
import { FileButtons, FileTitle } from '../file-title.tsx'
import { InterleavedNotice, useEditFilter } from '../interleaved-notice.tsx'
import { reviewScopeOf } from '../review.ts'
import { type ChangePosition, NO_POSITION, type TextOptions } from '../text-doc.ts'
import { TextMenu, useTextMenu } from '../text-menu.tsx'
import { type TextScroller, type TextViewHandle, textCommands } from '../text-view.tsx'
import { useComments } from '../use-comments.ts'
import { usePointedLines } from '../use-pointed-lines.ts'
import { type ReviewFlow, useReviewFlow } from '../use-review-flow.ts'
import { useShownDiff } from '../use-shown-diff.ts'
import { WholeFileReview } from '../whole-file-review.tsx'
import { SECTION_BAR_PX } from './fold.ts'

/** How long a file stays in view before it is loaded while a person scrolls fast, ms. */
const SETTLE_MS = 40

/** What the pane does with a file that exists. */
export interface SectionHandle {
  readonly element: RefObject<HTMLElement | null>
  readonly text: RefObject<TextViewHandle | null>
  readonly flow: ReviewFlow
  comment(): void
  /** Whether it is unfolded, and will be on screen once it is loaded. */
  waits(): boolean
}

/** The pane that shows the files: always the same object. */
export interface SectionsPane {
  readonly scroller: TextScroller
  readonly pool: EditorPool
  readonly flying: RefObject<boolean>
  readonly sections: Map<string, SectionHandle>
  fold(path: string, reason: string | null, open: boolean): void
  openFile(path: string): void
  focused(path: string): void
  moved(path: string, position: ChangePosition): void
  /** The text or the card of a file is on screen. */
  shown(path: string): void
  readonly commands: Pick<
    DiffCommands,
    | 'next-change'
    | 'previous-change'
    | 'next-file'
    | 'previous-file'
    | 'split'
    | 'whitespace'
    | 'all-whitespace'
    | 'unchanged'
    | 'wrap'
  >
}

export interface FileSectionProps {
  readonly selection: Selection
  readonly file: FileChange
  readonly index: number
  readonly total: number
  /** Why the file starts folded, null if it does not. */
  readonly reason: string | null
  readonly open: boolean
  readonly current: boolean
  /** Height until its content is shown, px. */
  readonly height: number
  readonly options: TextOptions
  readonly pane: SectionsPane
}

/** Memoised: scrolling renders only the files that come near the viewport. */
export const FileSection = memo(function FileSection(props: FileSectionProps) {
  const { file, open, pane, options, selection } = props
  const review = useSection(props)
  const { scope, commands, text } = review
  const textMenu = useTextMenu(text)
  const [{ total, lines }, setPosition] = useState(NO_POSITION)
  useLayoutEffect(() => {
    if (!open) setPosition(NO_POSITION)
  }, [open])
  const verb = verbOf(selection)
  return (
    <SectionFrame {...props} element={review.element} shown={review.content.isShown} onContextMenu={textMenu.open}>
      <SectionBar {...props}>
        {scope.inHeader || !open ? <FileButtons file={file} verb={verb} scope={scope} commands={commands} /> : null}
        <IconButton icon="history" size="sm" label="History of this file" onClick={commands.versions} />
        <DiffMenu
          file={file}
          verb={verb}
          scope={scope}
          options={options}
          hasText={total > 0}
          lines={lines}
          commands={commands}
        />
      </SectionBar>
      {open ? (
        <PaneBoundary name="this file" resetOn={file.path}>
          <SectionBody
            {...props}
            review={review}
            lines={lines}
            onPositionChange={(position) => {
              setPosition(position)
              pane.moved(file.path, position)
            }}
          />
        </PaneBoundary>
      ) : null}
      {textMenu.menu ? (
        <TextMenu
          menu={textMenu.menu}
          path={file.path}
          verb={verb}
          scope={scope}
          undoDisabled={review.unavailable}
          commands={commands}
          onComment={review.comments.commentOn}
          onClose={textMenu.close}
        />
      ) : null}
    </SectionFrame>
  )
})

/** The diff of a file, its review and its commands. Announces the file to the pane while it exists. */
function useSection(props: FileSectionProps) {
  const { selection, file, open, pane } = props
  const { path } = file
  const { actions } = useOpenWorkspace()
  const unavailable = useWorkspaceState(restoreUnavailable)
  const element = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const [filter, setFilter] = useEditFilter(selection, path)
  const settled = useSettled(pane.flying)
  const state = useShownDiff(selection, open && settled ? file : null, filter, true)
  const flow = useReviewFlow({ file, state, verb: verbOf(selection), text, onOpenFile: pane.openFile })
  const diff = state.current && state.loaded ? state.loaded.diff : null
  const comments = useComments(selection, file, diff, text)
  const pointed = usePointedLines(path, state, text)
  useUnfoldedWhenPointed(props)
  const scope = reviewScopeOf(file, diff, flow.hunks, selection.run !== undefined, unavailable)
  const content = useContentHeight(props, diff !== null && diffViewKind(diff, false).kind !== 'text')
  useLayoutEffect(() => {
    const waits = () => open && !content.wasShown.current && state.error === null
    const handle = { element, text, flow, comment: comments.commands.comment, waits }
    pane.sections.set(path, handle)
    return () => {
      if (pane.sections.get(path) === handle) pane.sections.delete(path)
    }
  })
  const commands: DiffCommands = {
    ...textCommands(text),
    ...pane.commands,
    'keep-change': flow.keepChange,
    'undo-change': flow.undoChange,
    'keep-file': flow.keepFile,
    'undo-file': flow.undoFile,
    versions: () => actions.openHistory(path, 'change'),
    ...comments.commands
  }
  return {
    element,
    text,
    filter,
    setFilter,
    state,
    flow,
    comments,
    pointed,
    diff,
    scope,
    content,
    commands,
    unavailable
  }
}

/** A line of a folded file that a person goes to unfolds it. */
function useUnfoldedWhenPointed({ file: { path }, reason, open, pane }: FileSectionProps): void {
  const isPointedAt = useWorkspaceState(({ pointed }) => pointed?.path === path)
  useEffect(() => {
    if (isPointedAt && !open) pane.fold(path, reason, true)
  }, [isPointedAt, open, pane, path, reason])
}

interface SectionBodyProps extends FileSectionProps {
  readonly review: ReturnType<typeof useSection>
  /** Number of selected lines that can be kept or undone by themselves. */
  readonly lines: number
  readonly onPositionChange: (position: ChangePosition) => void
}

/** The diff of a file that is not folded. */
function SectionBody({ selection, file, pane, options, review, lines, onPositionChange }: SectionBodyProps) {
  const { openInEditor } = useFileActions()
  const { content, scope, flow, state } = review
  const { path } = file
  return (
    <div style={{ minHeight: content.minHeight }}>
      {file.interleaved && selection.run !== undefined && !selection.drift ? (
        <InterleavedNotice path={path} diff={review.diff} filter={review.filter} onFilter={review.setFilter} />
      ) : null}
      <DiffBody
        path={path}
        state={state}
        options={options}
        counts={file.counted ? file : null}
        newFileNoticeShown={scope.asWhole}
        onPositionChange={onPositionChange}
        onShown={() => {
          content.show()
          review.pointed.show()
        }}
        onOpenInEditor={openInEditor && (() => openInEditor(path))}
        review={flow}
        zones={review.comments.zones}
        scroller={pane.scroller}
        pool={pane.pool}
        text={review.text}
      >
        <FileComments {...review.comments} />
        {scope.asWhole ? (
          <WholeFileReview file={file} scope={scope} verb={verbOf(selection)} flow={flow} lines={lines} />
        ) : null}
      </DiffBody>
    </div>
  )
}

/** False while a person scrolls so fast that the file may be gone in the next frame. */
function useSettled(flying: RefObject<boolean>): boolean {
  const [settled, setSettled] = useState(() => !flying.current)
  useEffect(() => {
    if (settled) return
    const timer = setTimeout(() => setSettled(true), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [settled])
  return settled
}

/** The place of the content is kept until it is shown: `show` is to be called then, for a card it is called here. */
function useContentHeight({ file: { path }, open, height, pane }: FileSectionProps, isCard: boolean) {
  const [isShown, setShown] = useState(false)
  /** The same before it is rendered: a step that comes between `pane.shown` and that would wait for a second call. */
  const wasShown = useRef(false)
  const [kept] = useState(height)
  const show = () => {
    wasShown.current = true
    setShown(true)
    pane.shown(path)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card is shown once it is known to be one.
  useEffect(() => {
    if (isCard) show()
  }, [isCard])
  useLayoutEffect(() => {
    if (open) return
    wasShown.current = false
    setShown(false)
  }, [open])
  return { isShown, wasShown, minHeight: isShown ? undefined : Math.max(0, kept - SECTION_BAR_PX), show }
}

interface SectionFrameProps extends FileSectionProps {
  readonly shown: boolean
  readonly element: RefObject<HTMLElement | null>
  readonly onContextMenu: (event: React.MouseEvent) => void
  readonly children: React.ReactNode
}

function SectionFrame(props: SectionFrameProps) {
  const { element, file, index, total, current, shown, pane, onContextMenu, children } = props
  return (
    <article
      ref={element}
      className="file-section"
      aria-label={file.path}
      aria-posinset={index + 1}
      aria-setsize={total}
      tabIndex={-1}
      data-path={file.path}
      data-current-part={current || undefined}
      data-shown={shown || undefined}
      onFocus={() => pane.focused(file.path)}
      onContextMenu={onContextMenu}
    >
      {children}
    </article>
  )
}

/** The header of a file: it stays at the top of the view while its file is there. */
function SectionBar({ file, reason, open, pane, children }: FileSectionProps & { readonly children: React.ReactNode }) {
  const id = useId()
  return (
    <div className="bar section-bar">
      <IconButton
        icon={open ? 'down' : 'right'}
        size="sm"
        iconSize="s"
        label={open ? 'Fold this file' : 'Unfold this file'}
        aria-expanded={open}
        aria-describedby={reason === null ? undefined : id}
        onClick={() => pane.fold(file.path, reason, !open)}
      />
      <FileTitle file={file} />
      {reason === null ? null : (
        <span className="badge" id={id}>
          {reason}
        </span>
      )}
      <span className="grow" />
      {children}
    </div>
  )
}
