/** The right side of the dialog: one file, on disk now against after the restore, with its resolution. */
import { type ReactNode, useRef } from 'react'
import type { PreviewSide, Resolution, RestorePlan, RestoreRequest } from '../../../contract/restore.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { consequenceText, isOfParts } from '../../../contract/words/resolutions.ts'
import { momentText } from '../../../contract/words/restores.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { Blank } from '../../ui/blank.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useShownWith } from '../../ui/use-shown-with.ts'
import { DiffBody } from '../diff/diff-body.tsx'
import { runDiffKey } from '../diff/diff-keys.ts'
import type { TextOptions } from '../diff/text-doc.ts'
import { type TextViewHandle, textCommands } from '../diff/text-view.tsx'
import { useHeldFile } from '../diff/use-held-file.ts'
import { letterClass } from '../files/file-marks.ts'
import { actionLetter, type PlanFile } from './plan-rows.ts'
import { ResolutionCards } from './resolution-cards.tsx'
import { useOwnLines, usePreview } from './use-preview.ts'

const OWN_LABELS: Readonly<Record<RestoreRequest['kind'], string>> = {
  restore: 'Restored changes',
  'undo-run': 'The run’s changes',
  undo: 'The restore’s changes',
  redo: 'The undo’s changes',
  drift: 'Outside changes',
  recover: 'Written so far',
  apply: 'The run’s changes',
  worktree: 'The worktree’s files'
}

const OTHERS_LABELS: Readonly<Partial<Record<RestoreRequest['kind'], string>>> = {
  restore: 'Outside since',
  apply: 'Different here'
}

/** The three sides of a conflict that can be shown, named for the request. */
export function sideOptions({ kind }: RestoreRequest) {
  return [
    { value: 'result', label: 'Now → after' },
    { value: 'own', label: OWN_LABELS[kind] },
    { value: 'others', label: OTHERS_LABELS[kind] ?? 'Others since' }
  ] as const satisfies readonly { value: PreviewSide; label: string }[]
}

/** Shown below the cards while a side other than the result is selected. */
const SIDE_EXPLANATIONS: Readonly<Record<Exclude<PreviewSide, 'result'>, string>> = {
  own: 'The changes that would be undone. Your resolution decides the rest.',
  others: 'Later edits by others. Keep mine and Merge preserve them; Replace removes them.'
}

/** The same for a bundle, which undoes nothing. */
const SIDES_OF_BUNDLE: typeof SIDE_EXPLANATIONS = {
  own: 'What the run changed. Your resolution decides the rest.',
  others:
    'How the file here differs from the one that the run changed. Keep mine and Merge preserve that; Replace removes it.'
}

function explanationOf({ kind }: RestoreRequest, side: Exclude<PreviewSide, 'result'>): string {
  return (kind === 'apply' ? SIDES_OF_BUNDLE : SIDE_EXPLANATIONS)[side]
}

interface RestorePreviewProps {
  readonly workspace: WorkspaceId
  readonly request: RestoreRequest
  readonly plan: RestorePlan
  readonly row: PlanFile | null
  /** Which side of a conflict is shown. */
  readonly side: PreviewSide
  readonly onSide: (side: PreviewSide) => void
  readonly onResolve: (choice: Resolution) => void
}

const SIDE_LABELS = { before: 'Before', after: 'After' } as const
const UNCHANGED_LABELS = { before: 'On disk now', after: 'Unchanged' } as const
const RESULT_LABELS = { before: 'On disk now', after: 'After restore' } as const
const OPTIONS: TextOptions = { split: false, whitespace: 'show', hideUnchanged: true, wrap: null }
const FAILURE = { title: 'Couldn’t preview this file.', safe: 'Nothing was written.' }

export function RestorePreview({ workspace, request, plan, row, side, onSide, onResolve }: RestorePreviewProps) {
  const text = useRef<TextViewHandle>(null)
  const decision = row?.kind === 'decision' ? row : null
  const choice = decision?.resolution ?? (row?.kind === 'change' && !row.ticked ? 'keep' : null)
  const hasSides = decision !== null && !isOfParts(request)
  const shown: PreviewSide = hasSides ? side : 'result'
  const { counts, ...state } = usePreview(
    row && { workspace, request, path: row.id, side: shown, ...(choice ? { resolutions: { [row.id]: choice } } : {}) },
    plan.plan
  )
  const own = useOwnLines(workspace, decision?.conflict ?? null, plan.plan)
  const unchanged = shown === 'result' && (row?.kind === 'cannot' || choice === 'keep')
  const labels = shown === 'result' ? (unchanged ? UNCHANGED_LABELS : RESULT_LABELS) : SIDE_LABELS
  const isHeld = useHeldFile(plan.plan, row?.id ?? '', state.current)
  const head = useShownWith(
    !isHeld,
    row && (
      <>
        <PreviewBar row={row} unchanged={unchanged}>
          {hasSides ? (
            <Segmented label="Shown side" tight options={sideOptions(request)} value={side} onChange={onSide} />
          ) : null}
        </PreviewBar>
        {decision ? (
          <ResolutionCards
            request={request}
            conflict={decision.conflict}
            resolution={decision.resolution}
            when={momentText(request, plan)}
            own={own}
            onResolve={onResolve}
          />
        ) : null}
        {decision && state.error === null ? (
          <p className="notice consequence" role="status">
            {shown === 'result'
              ? consequenceText(decision.resolution, { own, counts }, decision.conflict)
              : explanationOf(request, shown)}
          </p>
        ) : null}
      </>
    )
  )
  if (!row) {
    return (
      <div className="restore-diff">
        <Blank title="Select a file to preview it." />
      </div>
    )
  }
  return (
    <div
      className="restore-diff"
      data-held={isHeld || undefined}
      onKeyDownCapture={(event) => runDiffKey(event, textCommands(text))}
    >
      {head}
      <DiffBody
        path={row.id}
        state={state}
        options={OPTIONS}
        labels={labels}
        isPreview={shown === 'result'}
        isHeld={isHeld}
        counts={null}
        sameAsText={unchanged}
        preserved={choice === 'replace' || shown !== 'result' ? null : own}
        failure={FAILURE}
        text={text}
      />
    </div>
  )
}

interface PreviewBarProps {
  readonly row: PlanFile
  readonly unchanged: boolean
  /** The choice of the shown side, if there is one. */
  readonly children: ReactNode
}

/** Names the file, and what is compared. */
function PreviewBar({ row, unchanged, children }: PreviewBarProps) {
  const { folder, name } = splitPath(row.id)
  const letter = actionLetter(row.item)
  return (
    <div className="bar restore-diff-bar">
      <span className={letterClass(letter)}>{letter}</span>
      <h2 className="bar-path" aria-label={`${folder}${name}`} title={row.id}>
        <span>
          <MiddleCut text={folder} />
        </span>
        <b>{name}</b>
      </h2>
      <span className="grow" />
      {children ?? (
        <span className="small muted nowrap">{unchanged ? 'unchanged on disk' : 'on disk now → after restore'}</span>
      )}
    </div>
  )
}
