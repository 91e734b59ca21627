/** The right side of the dialog: one file, on disk now beside what it would become, with its choice. */
import { useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { Act, Choice, PreviewSide } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { Icon } from '../../ui/icon.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { DiffBody } from '../diff/diff-body.tsx'
import { diffKey } from '../diff/diff-keys.ts'
import type { TextOptions } from '../diff/text-doc.ts'
import type { TextViewHandle } from '../diff/text-view.tsx'
import { letterClass, splitPath } from '../files/file-words.ts'
import { ChoiceCards } from './choice-cards.tsx'
import { consequenceWords } from './consequence-words.ts'
import { actionLetter, type PlanRow } from './plan-rows.ts'
import { SIDE_WORDS, sideOptions } from './side-words.ts'
import { useOwnLines } from './use-own-lines.ts'
import { usePreview } from './use-preview.ts'

interface RestorePreviewProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly act: Act
  readonly row: Exclude<PlanRow, { kind: 'section' }> | null
  readonly version: string
  readonly when: string
  /** Which side of a file in conflict is looked at. */
  readonly side: PreviewSide
  readonly onSide: (side: PreviewSide) => void
  readonly onChoose: (choice: Choice) => void
}

const ignore = () => {}
const BEFORE_AFTER = { before: 'Before', after: 'After' } as const
const STAYS = { before: 'On disk now', after: 'Stays as it is' } as const
const LABELS = { before: 'On disk now', after: 'After restore' } as const
const OPTIONS: TextOptions = { split: false, ignoreWhitespace: false, hideUnchanged: true }

export function RestorePreview({
  client,
  workspace,
  act,
  row,
  version,
  when,
  side,
  onSide,
  onChoose
}: RestorePreviewProps) {
  const text = useRef<TextViewHandle>(null)
  const [broken, setBroken] = useState<string | null>(null)
  const choice = row?.kind === 'decision' ? row.choice : row?.kind === 'change' ? (row.ticked ? null : 'keep') : null
  const three = row?.kind === 'decision' && !('hunks' in act && act.hunks)
  const shown: PreviewSide = three ? side : 'result'
  const { loaded, counts, loading, error } = usePreview(client, workspace, act, row?.id ?? null, choice, shown, version)
  const own = useOwnLines(client, workspace, row?.kind === 'decision' ? row.conflict : null, version)
  const stays = shown === 'result' && (row?.kind === 'cannot' || choice === 'keep')
  const labels = shown === 'result' ? (stays ? STAYS : LABELS) : BEFORE_AFTER
  if (!row) {
    return (
      <div className="rdiff">
        <div className="blank">
          <h3>Choose a file to see what it would become.</h3>
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
        if (key === 'next-change' || key === 'previous-change') text.current?.go(key === 'next-change' ? 1 : -1)
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
        {three ? (
          <Segmented label="What is shown" tight options={sideOptions(act)} value={side} onChange={onSide} />
        ) : (
          <span className="small muted nowrap">{stays ? 'stays as it is on disk' : 'on disk now → after restore'}</span>
        )}
      </div>
      {row.kind === 'decision' ? (
        <ChoiceCards conflict={row.conflict} choice={row.choice} when={when} own={own} onChoose={onChoose} />
      ) : null}
      {row.kind === 'decision' && !error ? (
        <p className="notice consequence" role="status">
          {shown === 'result' ? consequenceWords(row.choice, { own, counts }) : SIDE_WORDS[shown]}
        </p>
      ) : null}
      {(broken ?? error) ? (
        <div className="blank" role="alert">
          <Icon name="stop" size="big" />
          <h3>This file could not be previewed.</h3>
          <p>{broken ?? error} Nothing was written.</p>
        </div>
      ) : null}
      <div className="diff-hold" hidden={Boolean(broken ?? error)}>
        <DiffBody
          loaded={loaded}
          stale={loading}
          options={OPTIONS}
          labels={labels}
          ahead={shown === 'result'}
          counts={null}
          sameAsText={stays}
          own={choice === 'replace' || shown !== 'result' ? null : own}
          onFull={ignore}
          onPlace={ignore}
          onError={setBroken}
          text={text}
        />
      </div>
    </div>
  )
}
