/** One version of a file: its change, the changes since then, or its text. */
import { type RefObject, useState } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import { DiffBody } from '../diff/diff-body.tsx'
import { DiffError } from '../diff/diff-error.tsx'
import type { TextOptions } from '../diff/text-doc.ts'
import type { TextViewHandle } from '../diff/text-view.tsx'
import { useFileDiff } from '../diff/use-file-diff.ts'
import { useOpenWorkspace } from '../workspace/state/context.tsx'
import type { HistoryView } from './open-file.ts'

interface VersionViewProps {
  readonly path: string
  readonly version: PathVersion
  readonly view: Exclude<HistoryView, 'lines'>
  readonly options: TextOptions
  readonly text: RefObject<TextViewHandle | null>
  readonly onOpenInEditor: (() => void) | undefined
}

const LABELS = {
  change: { before: 'Before', after: 'After' },
  since: { before: 'Then', after: 'Now' },
  text: { before: 'Then', after: 'Then' }
} as const

export function VersionView({ path, version, view, options, text, onOpenInEditor }: VersionViewProps) {
  const { workspace } = useOpenWorkspace()
  const [broken, setBroken] = useState<string | null>(null)
  const { seq } = version
  const query = {
    workspace: workspace.id,
    target: `seq:${view === 'change' ? seq - 1 : seq}`,
    to: view === 'since' ? 'now' : `seq:${seq}`
  }
  const state = useFileDiff(query, { path }, { live: view === 'since' })
  const error = broken ?? state.error
  // The text view compares a version with itself: without changes there is nothing to fold or to show in two columns.
  const shown = view === 'text' ? { ...options, split: false, hideUnchanged: false } : options
  if (view === 'text' && version.kind === 'absent')
    return (
      <div className="blank">
        <h3>The file did not exist at this version.</h3>
      </div>
    )
  return (
    <>
      {error && !state.loading ? (
        <DiffError
          path={path}
          error={error}
          onRetry={() => {
            setBroken(null)
            state.reload()
          }}
        />
      ) : null}
      <div className="diff-hold" hidden={Boolean(error && !state.loading)}>
        <DiffBody
          loaded={state.loaded}
          stale={state.loading || !state.current}
          options={shown}
          labels={LABELS[view]}
          counts={view === 'change' && version.counted ? version : null}
          sameAsText={view !== 'change'}
          onFull={state.loadFull}
          onPositionChange={doNothing}
          onError={setBroken}
          onOpenInEditor={onOpenInEditor}
          text={text}
        />
      </div>
    </>
  )
}

const doNothing = () => {}
