/** One version of a file: its change, the changes since then, or its text. */
import type { RefObject } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import type { HistoryView } from '../../model/open-file.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { Blank } from '../../ui/blank.tsx'
import { DiffBody } from '../diff/diff-body.tsx'
import type { TextOptions } from '../diff/text-doc.ts'
import type { TextViewHandle } from '../diff/text-view.tsx'
import { useFileDiff } from '../diff/use-file-diff.ts'

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

/** What the file was called on both sides of a view. */
function comparedPaths(now: string, { path, oldPath }: PathVersion, view: VersionViewProps['view']) {
  const [before, after] = view === 'change' ? [oldPath ?? path, path] : view === 'since' ? [path, now] : [path, path]
  return before === after ? { path: after } : { path: after, oldPath: before }
}

export function VersionView({ path, version, view, options, text, onOpenInEditor }: VersionViewProps) {
  const { workspace } = useOpenWorkspace()
  const { seq } = version
  const query = {
    workspace: workspace.id,
    target: `seq:${view === 'change' ? version.before : seq}`,
    to: view === 'since' ? 'now' : `seq:${seq}`
  }
  const state = useFileDiff(query, comparedPaths(path, version, view), { live: view === 'since' })
  if (view === 'text' && version.kind === 'absent') return <Blank title="The file did not exist at this version." />
  return (
    <DiffBody
      path={path}
      state={state}
      // The text view compares a version with itself: without changes there is nothing to fold or to show in two
      // columns.
      options={view === 'text' ? { ...options, split: false, hideUnchanged: false } : options}
      labels={LABELS[view]}
      counts={view === 'change' && version.counted ? version : null}
      sameAsText={view !== 'change'}
      onOpenInEditor={onOpenInEditor}
      text={text}
    />
  )
}
