/**
 * The diff pane with all files of a comparison in one scroll. Keys act on the current file: the one that has the focus,
 * was chosen, or is at the top.
 */
import { type KeyboardEvent, useCallback, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { FileChange } from '../../../../contract/diff.ts'
import { plural } from '../../../../contract/words/numbers.ts'
import type { ReviewCommands } from '../../../commands/state.ts'
import type { Selection } from '../../../model/diff-selection.ts'
import { reviewOrder } from '../../../model/file-order.ts'
import { comparisonKey } from '../../../state/comparison.ts'
import { useKeepUnavailable, useOpenWorkspace, useWorkspaceState } from '../../../state/open-workspace.tsx'
import { NO_FILES } from '../../../state/store.ts'
import { LineCounts } from '../../files/files-head.tsx'
import { AllFilesSwitch } from '../all-files-switch.tsx'
import { ChangeSteps } from '../diff-header.tsx'
import { type DiffCommands, runDiffKey } from '../diff-keys.ts'
import type { EditorPool } from '../editor-pool.ts'
import { AllReviewed, NoFile } from '../no-file.tsx'
import { type ChangePosition, NO_POSITION } from '../text-doc.ts'
import { LayoutSwitch, useTextOptions } from '../text-options.tsx'
import { symbolCommands, textCommands } from '../text-view.tsx'
import { useEditorPool } from '../use-editor-pool.ts'
import { useStepEnd } from '../use-step-end.ts'
import { FileSection, type FileSectionProps, type SectionHandle, type SectionsPane } from './file-section.tsx'
import { type Folds, isOpen } from './fold.ts'
import { useCurrentFile } from './use-current-file.ts'
import { type SectionList, useSections } from './use-sections.ts'
import { useSteps } from './use-steps.ts'
import './all-files.css'

/** Unused editors that are held. */
const MAX_IDLE = 8

export function AllFiles({ selection }: { readonly selection: Selection }) {
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  const pool = useEditorPool(MAX_IDLE)
  if (files.length === 0) {
    return (
      <main className="diffpane" aria-label="Changes" tabIndex={-1}>
        <NoFile />
      </main>
    )
  }
  return <FilesScroll key={comparisonKey(selection.query)} selection={selection} files={files} pool={pool} />
}

interface FilesScrollProps {
  readonly selection: Selection
  readonly files: readonly FileChange[]
  readonly pool: EditorPool
}

function FilesScroll({ selection, files: unordered, pool }: FilesScrollProps) {
  const files = useMemo(() => reviewOrder(unordered), [unordered])
  const path = useWorkspaceState(({ file }) => file?.path ?? null)
  const main = useRef<HTMLElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [folds, setFolds] = useState<Folds>(new Map())
  const [focused, setFocused] = useState<string | null>(null)
  const [sections] = useState(() => new Map<string, SectionHandle>())
  const { options, chooseLayout, commands: layoutCommands } = useTextOptions(main, path ?? '')
  const layout = useRef(layoutCommands)
  layout.current = layoutCommands
  const { position, moved } = usePosition(path)

  const open = useCallback((file: string, reason: string | null) => isOpen(file, reason, folds), [folds])
  const indexOf = (target: string | null) => files.findIndex((file) => file.path === target)
  const always = [indexOf(path), indexOf(focused)]
  const { rows, virtual, saveAnchor } = useSections({ files, box, isOpen: open, always })
  const current = useCurrentFile({ files, path, box, virtual })
  const steps = useSteps({ main, rows, path, sections, current, onEnd: useStepEnd() })
  const [pane] = useState<SectionsPane>(() => ({
    scroller: { element: box },
    pool,
    flying: current.flying,
    sections,
    fold: (file, reason, isNowOpen) => setFolds((before) => new Map(before).set(file, { reason, open: isNowOpen })),
    openFile: steps.openFile,
    focused: (file) => {
      setFocused(file)
      current.hold(file)
    },
    moved,
    shown: (file) => {
      steps.shown(file)
      current.shown()
    },
    commands: {
      ...steps.commands,
      split: () => layout.current.split(),
      whitespace: () => layout.current.whitespace(),
      'all-whitespace': () => layout.current['all-whitespace'](),
      unchanged: () => layout.current.unchanged(),
      wrap: () => layout.current.wrap()
    }
  }))
  const onKeyDown = useReviewKeys(path, pane)

  return (
    <main
      className="diffpane"
      aria-label="Changes of all files"
      ref={main}
      tabIndex={-1}
      onKeyDownCapture={onKeyDown}
      onFocus={steps.onFocus}
    >
      <div className="bar diff-bar">
        <span className="nowrap">{plural(files.length, 'file')}</span>
        <LineCounts files={files} />
        <span className="grow" />
        <ChangeSteps position={position} commands={steps.commands} />
        <LayoutSwitch split={options.split} onChange={chooseLayout} />
        <AllFilesSwitch />
      </div>
      <AllReviewed />
      <div
        className="all-files"
        ref={box}
        role="feed"
        aria-label="Changed files"
        onWheelCapture={current.release}
        onTouchMove={current.release}
        onPointerDown={(event) => {
          // On the element itself it is the scrollbar.
          if (event.target === event.currentTarget) current.release()
        }}
        onScroll={() => {
          saveAnchor()
          current.scrolled()
        }}
      >
        <Sections rows={rows} virtual={virtual} path={path} selection={selection} options={options} pane={pane} />
      </div>
    </main>
  )
}

interface SectionsProps extends Pick<FileSectionProps, 'selection' | 'options' | 'pane'> {
  readonly rows: readonly Pick<FileSectionProps, 'file' | 'reason' | 'open'>[]
  readonly virtual: SectionList
  readonly path: string | null
}

/** The files that exist, each at its place. */
function Sections({ rows, virtual, path, ...shared }: SectionsProps) {
  return (
    <div role="presentation" className="all-files-length" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start, size }) => {
        const row = rows[index]
        if (!row) return null
        return (
          <div
            role="presentation"
            key={key}
            data-row={index}
            ref={virtual.measureElement}
            className="all-files-row"
            style={{ top: start }}
          >
            <FileSection
              {...row}
              {...shared}
              index={index}
              total={rows.length}
              current={row.file.path === path}
              height={size}
            />
          </div>
        )
      })}
    </div>
  )
}

/** The keys of the diff, and the commands of the review, for the current file. */
function useReviewKeys(path: string | null, { sections, commands }: SectionsPane) {
  const { handles, actions } = useOpenWorkspace()
  const section = () => (path === null ? undefined : sections.get(path))
  const diffCommands = (): Partial<DiffCommands> => {
    const text = section()?.text
    return { ...(text ? textCommands(text) : {}), ...commands }
  }
  const review: ReviewCommands = {
    keepUnavailable: useKeepUnavailable(),
    keepChange: () => section()?.flow.keepChange(),
    undoChange: () => section()?.flow.undoChange(),
    keepFile: () => section()?.flow.keepFile(),
    undoFile: () => section()?.flow.undoFile(),
    versions: () => {
      if (path !== null) actions.openHistory(path, 'change')
    },
    authors: () => {
      if (path !== null) actions.openHistory(path, 'lines')
    },
    view: (command) => diffCommands()[command]?.(),
    comment: () => section()?.comment(),
    ...symbolCommands(() => section()?.text.current ?? null)
  }
  useImperativeHandle(handles.review, () => review)
  return (event: KeyboardEvent<HTMLElement>) => {
    runDiffKey(event, {
      ...diffCommands(),
      'keep-change': review.keepChange,
      'undo-change': review.undoChange,
      'keep-file': review.keepFile,
      'undo-file': review.undoFile,
      versions: review.versions
    })
  }
}

/** The position in the current file; each file reports its own. */
function usePosition(path: string | null) {
  const [positions, setPositions] = useState<ReadonlyMap<string, ChangePosition>>(new Map())
  const moved = (file: string, position: ChangePosition) =>
    setPositions((before) => {
      const last = before.get(file)
      if (last?.index === position.index && last.total === position.total) return before
      return new Map(before).set(file, position)
    })
  return { position: (path === null ? undefined : positions.get(path)) ?? NO_POSITION, moved }
}
