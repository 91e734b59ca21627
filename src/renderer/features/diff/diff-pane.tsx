/** The diff pane: one file of the comparison, or all of them in one scroll, with navigation, review and undo. */
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { type Selection, verbOf } from '../../model/diff-selection.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useFileActions, useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { usePreferences } from '../../state/preferences.tsx'
import { useShownWith } from '../../ui/use-shown-with.ts'
import { FileComments } from '../review/file-comments.tsx'
import { AllFiles } from './all-files/all-files.tsx'
import { DiffBody } from './diff-body.tsx'
import { DiffHeader } from './diff-header.tsx'
import { type DiffCommands, runDiffKey } from './diff-keys.ts'
import { InterleavedNotice, useEditFilter } from './interleaved-notice.tsx'
import { preloadMonaco } from './load-monaco.ts'
import { AllReviewed, NoFile } from './no-file.tsx'
import { reviewScopeOf } from './review.ts'
import { NO_POSITION } from './text-doc.ts'
import { TextMenu, useTextMenu } from './text-menu.tsx'
import { useTextOptions } from './text-options.tsx'
import { symbolCommands, type TextViewHandle, textCommands } from './text-view.tsx'
import { useChangeNavigation } from './use-change-navigation.ts'
import { useComments } from './use-comments.ts'
import { useEditorPool } from './use-editor-pool.ts'
import { useHeldFile } from './use-held-file.ts'
import { usePointedLines } from './use-pointed-lines.ts'
import { type ReviewFlow, useReviewFlow } from './use-review-flow.ts'
import { useShownDiff } from './use-shown-diff.ts'
import { WholeFileReview } from './whole-file-review.tsx'
import './diff.css'

export function DiffPane({ selection }: { readonly selection: Selection }) {
  const { diffFiles } = usePreferences()
  useEffect(() => preloadMonaco(), [])
  return diffFiles === 'all' ? <AllFiles selection={selection} /> : <OneFile selection={selection} />
}

function OneFile({ selection }: { readonly selection: Selection }) {
  const file = useWorkspaceState((state) => state.file)
  const isLeaving = useWorkspaceState(({ selected, shown }) => selected !== shown)
  const unavailable = useWorkspaceState(restoreUnavailable)
  const { openInEditor } = useFileActions()
  const pane = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const { options, chooseLayout, commands: layoutCommands } = useTextOptions(pane, file?.path ?? '')
  const textMenu = useTextMenu(text)
  const [reached, setPosition] = useState(NO_POSITION)
  // The editor stays between two comparisons, when there is no file; the pool keeps it while the pane is not shown.
  const pool = useEditorPool(1)

  const isRun = selection.run !== undefined
  const verb = verbOf(selection)
  const [filter, setFilter] = useEditFilter(selection, file?.path)
  const state = useShownDiff(selection, file, filter)

  const navigation = useChangeNavigation({ pane, text, file, state })
  const flow = useReviewFlow({ file, state, verb, text, onOpenFile: navigation.openFile })
  const diff = state.current && state.loaded ? state.loaded.diff : null
  const position = diff ? reached : NO_POSITION
  const comments = useComments(selection, file, diff, text)
  const pointed = usePointedLines(file?.path ?? null, state, text)
  const commands = useCommands({ file, text, navigation, flow, comments, layoutCommands })
  const scope = file && reviewScopeOf(file, diff, flow.hunks, isRun, unavailable)
  const isHeld = useHeldFile(selection.query, file?.path ?? '', state.current)
  const shown = useShownWith(!isHeld, {
    asWhole: scope?.asWhole ?? false,
    header:
      file && scope ? (
        <DiffHeader
          file={file}
          verb={verb}
          scope={scope}
          position={position}
          options={options}
          onLayout={chooseLayout}
          commands={commands}
        />
      ) : (
        <NoFile />
      ),
    edits:
      file?.interleaved && isRun && !selection.drift ? (
        <InterleavedNotice path={file.path} diff={diff} filter={filter} onFilter={setFilter} />
      ) : null,
    aboveText: file && scope && (
      <>
        <AllReviewed />
        <FileComments {...comments} />
        {scope.asWhole ? (
          <WholeFileReview file={file} scope={scope} verb={verb} flow={flow} lines={position.lines} />
        ) : null}
      </>
    )
  })
  return (
    <main
      className="diffpane"
      data-held={isHeld || undefined}
      aria-label={file ? `Changes of ${file.path}` : 'Changes'}
      ref={pane}
      tabIndex={-1}
      onKeyDownCapture={file ? (event) => runDiffKey(event, commands) : undefined}
      onContextMenu={file ? textMenu.open : undefined}
      {...navigation.handlers}
    >
      {shown.header}
      {shown.edits}
      <DiffBody
        path={file?.path ?? ''}
        state={state}
        isLeaving={isLeaving}
        options={options}
        counts={file?.counted ? file : null}
        newFileNoticeShown={shown.asWhole}
        isHeld={isHeld}
        onPositionChange={setPosition}
        onShown={() => {
          navigation.arrive()
          pointed.show()
        }}
        onOpenInEditor={file && openInEditor ? () => openInEditor(file.path) : undefined}
        review={flow}
        zones={comments.zones}
        pool={pool}
        isPlaced={() => pointed.isAwaited || navigation.isArrivingAtEnd()}
        text={text}
      >
        {shown.aboveText}
      </DiffBody>
      {textMenu.menu && file && scope ? (
        <TextMenu
          menu={textMenu.menu}
          path={file.path}
          verb={verb}
          scope={scope}
          undoDisabled={unavailable}
          commands={commands}
          onComment={comments.commentOn}
          onClose={textMenu.close}
        />
      ) : null}
    </main>
  )
}

interface CommandParts {
  readonly file: FileChange | null
  readonly text: RefObject<TextViewHandle | null>
  readonly navigation: ReturnType<typeof useChangeNavigation>
  readonly flow: ReviewFlow
  readonly comments: ReturnType<typeof useComments>
  readonly layoutCommands: ReturnType<typeof useTextOptions>['commands']
}

/** What keys and menus do with the file on screen; the palette reaches the same by the handle of the review. */
function useCommands({ file, text, navigation, flow, comments, layoutCommands }: CommandParts): DiffCommands {
  const { handles, actions } = useOpenWorkspace()
  const openHistory = (tab: 'change' | 'lines') => {
    if (file) actions.openHistory(file.path, tab)
  }
  const commands: DiffCommands = {
    ...textCommands(text),
    ...navigation.commands,
    'keep-change': flow.keepChange,
    'undo-change': flow.undoChange,
    'keep-file': flow.keepFile,
    'undo-file': flow.undoFile,
    versions: () => openHistory('change'),
    ...comments.commands,
    ...layoutCommands
  }
  useImperativeHandle(handles.review, () => ({
    ...flow,
    versions: commands.versions,
    authors: () => openHistory('lines'),
    view: (command) => commands[command](),
    comment: comments.commands.comment,
    ...symbolCommands(() => text.current)
  }))
  return commands
}
