/** The right side of the dialog: one file, on disk now against after the restore, with its resolution. */

import { useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { PreviewSide, Resolution, RestoreRequest } from '../../../contract/restore.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { consequenceText } from '../../../contract/words/resolutions.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { Icon } from '../../ui/icon.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { DiffBody } from '../diff/diff-body.tsx'
import { diffKey } from '../diff/diff-keys.ts'
import type { TextOptions } from '../diff/text-doc.ts'
import type { TextViewHandle } from '../diff/text-view.tsx'
import { letterClass } from '../files/file-marks.ts'
import { actionLetter, type PlanRow } from './plan-rows.ts'
import { SIDE_EXPLANATIONS, sideOptions } from './preview-sides.ts'
import { ResolutionCards } from './resolution-cards.tsx'
import { useOwnLines, usePreview } from './use-preview.ts'

interface RestorePreviewProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly request: RestoreRequest
  readonly row: Exclude<PlanRow, { kind: 'section' }> | null
  readonly version: string
  readonly when: string
  /** Which side of a conflict is shown. */
  readonly side: PreviewSide
  readonly onSide: (side: PreviewSide) => void
  readonly onResolve: (choice: Resolution) => void
}

const ignore = () => {}
const SIDE_LABELS = { before: 'Before', after: 'After' } as const
const UNCHANGED_LABELS = { before: 'On disk now', after: 'Unchanged' } as const
const RESULT_LABELS = { before: 'On disk now', after: 'After restore' } as const
const OPTIONS: TextOptions = { split: false, ignoreWhitespace: false, hideUnchanged: true }

export function RestorePreview({
  client,
  workspace,
  request,
  row,
  version,
  when,
  side,
  onSide,
  onResolve
}: RestorePreviewProps) {
  const text = useRef<TextViewHandle>(null)
  const [drawError, setDrawError] = useState<string | null>(null)
  const choice =
    row?.kind === 'decision' ? row.resolution : row?.kind === 'change' ? (row.ticked ? null : 'keep') : null
  const hasSides = row?.kind === 'decision' && !('hunks' in request && request.hunks)
  const shown: PreviewSide = hasSides ? side : 'result'
  const { loaded, counts, loading, error } = usePreview(
    client,
    workspace,
    request,
    row?.id ?? null,
    choice,
    shown,
    version
  )
  const own = useOwnLines(client, workspace, row?.kind === 'decision' ? row.conflict : null, version)
  const unchanged = shown === 'result' && (row?.kind === 'cannot' || choice === 'keep')
  const labels = shown === 'result' ? (unchanged ? UNCHANGED_LABELS : RESULT_LABELS) : SIDE_LABELS
  if (!row) {
    return (
      <div className="rdiff">
        <div className="blank">
          <h3>Select a file to preview it.</h3>
        </div>
      </div>
    )
  }
  const { folder, name } = splitPath(row.id)
  const letter = actionLetter(row.item)
  return (
    <div
      className="rdiff"
      onKeyDownCapture={(event) => {
        const key = diffKey(event.nativeEvent, event.target)
        if (key === 'next-change' || key === 'previous-change') text.current?.step(key === 'next-change' ? 1 : -1)
        else if (key === 'viewer-next' || key === 'viewer-previous') {
          text.current?.accessibleViewer(key === 'viewer-next' ? 1 : -1)
        } else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <div className="bar">
        <span className={letterClass(letter)}>{letter}</span>
        <h2 className="path" aria-label={`${folder}${name}`} title={row.id}>
          <span className="d">{folder}</span>
          <b>{name}</b>
        </h2>
        <span className="grow" />
        {hasSides ? (
          <Segmented label="Shown side" tight options={sideOptions(request)} value={side} onChange={onSide} />
        ) : (
          <span className="small muted nowrap">{unchanged ? 'unchanged on disk' : 'on disk now → after restore'}</span>
        )}
      </div>
      {row.kind === 'decision' ? (
        <ResolutionCards
          conflict={row.conflict}
          resolution={row.resolution}
          when={when}
          own={own}
          onResolve={onResolve}
        />
      ) : null}
      {row.kind === 'decision' && !error ? (
        <p className="notice consequence" role="status">
          {shown === 'result' ? consequenceText(row.resolution, { own, counts }) : SIDE_EXPLANATIONS[shown]}
        </p>
      ) : null}
      {(drawError ?? error) ? (
        <div className="blank" role="alert">
          <Icon name="stop" size="big" />
          <h3>Couldn’t preview this file.</h3>
          <p>{drawError ?? error} Nothing was written.</p>
        </div>
      ) : null}
      <div className="diff-hold" hidden={Boolean(drawError ?? error)}>
        <DiffBody
          loaded={loaded}
          stale={loading}
          options={OPTIONS}
          labels={labels}
          isPreview={shown === 'result'}
          counts={null}
          sameAsText={unchanged}
          preserved={choice === 'replace' || shown !== 'result' ? null : own}
          onFull={ignore}
          onPositionChange={ignore}
          onError={setDrawError}
          text={text}
        />
      </div>
    </div>
  )
}
