/** Right of the timeline: the entry bar, and files beside the diff, or a sentence when there is nothing to show. */
import { type ReactNode, useEffect, useMemo } from 'react'
import type { Act, Params } from '../../../contract/api.ts'
import type { DiffResult, WorkspaceId } from '../../../contract/domain.ts'
import { useDriftline } from '../../client/context.tsx'
import type { Pane } from '../../commands/state.ts'
import { Splitter } from '../../ui/splitter.tsx'
import { DiffPane } from '../diff/diff-pane.tsx'
import { reviewOrder, stepFile } from '../files/file-order.ts'
import { FilesPane, type Selection } from '../files/files-pane.tsx'
import { runOf } from '../timeline/node.ts'
import type { CompareMenu } from './compare-menu.ts'
import { FILES, type Layout } from './layout.ts'
import { NoChanges, StageError } from './stage-states.tsx'
import type { DiffState } from './use-diff.ts'
import type { Selected } from './use-selection.ts'
import { useViewed } from './use-viewed.ts'

/** A file chosen in one diff; another diff starts at its own first file. */
export interface Picked {
  readonly scope: string
  readonly path: string
}

/** Names a diff. */
export function scopeOf(question: Params<'diff.files'>): string {
  return [question.target, question.to ?? ''].join(' ')
}

interface StageProps {
  readonly picked: Picked | null
  readonly onPick: (picked: Picked) => void
  readonly workspace: WorkspaceId
  readonly root: string
  readonly selected: Selected
  readonly question: Params<'diff.files'>
  readonly compare: CompareMenu
  /** Back to what the row itself changed; null when that is shown. */
  readonly onOwnComparison: (() => void) | null
  readonly state: DiffState
  readonly live: boolean
  readonly layout: Layout
  /** The pane shown when there are tabs. */
  readonly tab: Pane
  readonly filesWidth: number | null
  readonly letterKeys: boolean
  readonly onFilesWidth: (width: number) => void
  readonly onFocusDiff: () => void
  readonly onAct: (act: Act) => void
  readonly entryBar: ReactNode
}

export function Stage(props: StageProps) {
  const { client, platform } = useDriftline()
  const { question, state, layout, selected } = props
  const { diff } = state
  const { picked, onPick } = props
  const scope = scopeOf(question)
  const { viewed, toggle } = useViewed(`${props.workspace} ${scope}`)
  const ordered = useMemo(() => reviewOrder(diff?.files ?? []), [diff])
  const wanted = picked?.scope === scope ? picked.path : null
  const first = ordered.find(({ kind, notStored }) => kind === 'text' && !notStored) ?? ordered[0] ?? null
  const file = diff ? (diff.files.find(({ path }) => path === wanted) ?? first) : null
  const pick = (path: string) => onPick({ scope, path })

  // The file first shown stays selected when newer files arrive above it.
  const firstPath = first?.path
  useEffect(() => {
    if (firstPath !== undefined && picked?.scope !== scope) onPick({ scope, path: firstPath })
  }, [firstPath, scope, picked?.scope, onPick])

  const selection = selectionOf(question, diff, selected.other ? null : runOf(selected.node))
  const { run } = selection
  const restoreFile = (path: string) => {
    const oldPath = diff?.files.find((candidate) => candidate.path === path)?.oldPath
    const paths = oldPath === undefined ? [path] : [path, oldPath]
    props.onAct(run ? { kind: 'undo-run', run, paths } : { kind: 'restore', target: question.target, paths })
  }
  const width = props.filesWidth ?? (layout === 'wide' ? FILES.initial : FILES.initialNarrow)
  const { openInEditor, reveal } = platform
  const outer = {
    ...(openInEditor ? { onOpenInEditor: (path: string) => void openInEditor(`${props.root}/${path}`) } : {}),
    ...(reveal ? { onReveal: (path: string) => void reveal(`${props.root}/${path}`) } : {})
  }

  let body: ReactNode
  if (state.error && !diff) body = <StageError error={state.error} onRetry={state.retry} />
  else if (diff && diff.files.length === 0) {
    body = <NoChanges selected={selected} warning={diff.warning} onOwnComparison={props.onOwnComparison} />
  } else {
    body = (
      <div className={`split show-${props.tab}`} style={{ '--files': `${width}px` }}>
        <div className="pane-slot" data-pane="files" id="files-pane">
          <FilesPane
            client={client}
            workspace={props.workspace}
            selection={selection}
            compare={props.compare}
            diff={diff}
            loading={state.loading}
            error={state.error}
            selectedPath={file?.path ?? null}
            onSelect={pick}
            onOpenDiff={props.onFocusDiff}
            onRestoreFile={restoreFile}
            viewed={viewed}
            onToggleViewed={toggle}
            letterKeys={props.letterKeys}
            {...outer}
          />
        </div>
        {layout === 'tabs' ? null : (
          <Splitter
            label="Width of the files"
            controls="files-pane"
            value={width}
            min={FILES.min}
            max={FILES.max}
            initial={layout === 'wide' ? FILES.initial : FILES.initialNarrow}
            onChange={props.onFilesWidth}
          />
        )}
        <div className="pane-slot" data-pane="diff" id="diff-pane">
          <DiffPane
            client={client}
            workspace={props.workspace}
            selection={selection}
            file={file}
            files={diff?.files ?? []}
            live={props.live}
            onStep={(delta) => {
              const path = stepFile(diff?.files ?? [], file?.path ?? null, delta)
              if (path) pick(path)
            }}
            onUndoFile={restoreFile}
            onUndoChange={(path, n) => {
              // Asking for one change is asking for no more than that: what others wrote beside it stays.
              if (run) props.onAct({ kind: 'undo-run', run, hunks: { [path]: [n] }, onConflict: 'merge' })
            }}
            {...outer}
          />
        </div>
      </div>
    )
  }
  return (
    <div className="stage">
      {props.entryBar}
      {body}
    </div>
  )
}

/** What the panes compare; positions are those of the answer. */
function selectionOf(question: Params<'diff.files'>, diff: DiffResult | null, run: string | null): Selection {
  const ofRun = question.scope === 'run' || question.scope === 'turn'
  return {
    target: question.target,
    ...(question.to === undefined ? {} : { to: question.to }),
    fromSeq: diff?.fromSeq ?? 0,
    toSeq: diff ? diff.toSeq : 0,
    ...(ofRun && run ? { run: question.scope === 'turn' ? question.target : run } : {})
  }
}
