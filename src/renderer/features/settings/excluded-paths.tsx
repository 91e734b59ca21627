/** Excluded paths of one workspace, by reason. Ignored folders can be protected, and the protection removed. */
import { useState } from 'react'
import type { Result } from '../../../contract/api.ts'
import { excludedExplanation, excludedHeading } from '../../../contract/words/excluded.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import type { ExcludedPath } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FirstLines } from '../../ui/first-lines.tsx'
import { ExcludedCopiesPanel } from './excluded-copies-panel.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

/** Paths shown for each reason. */
const MAX_PATHS = 12

const WORDS = {
  protect: {
    act: 'Protect',
    busy: 'copying…',
    text: [
      'Its files are copied now and whenever they change. Folders such as node_modules or build output can be very large, and their copies count against the history budget. You can stop this at any time and delete the copies.'
    ]
  },
  stop: {
    act: 'Stop protecting',
    busy: 'saving…',
    text: [
      'Files in this folder are no longer copied, not even before an agent writes them. Changes are still listed.',
      'Existing copies stay in the history and can be restored. The next step lists them and lets you delete them.'
    ]
  }
} as const

interface ProtectionChange {
  readonly folder: string
  readonly action: keyof typeof WORDS
}

export function ExcludedPaths({ workspace, name }: { readonly workspace: string; readonly name: string }) {
  const coverage = useQuery('coverage.list', { workspace })
  const included = useSetting(`capture.include/${workspace}`)
  const never = useSetting(`capture.never/${workspace}`)
  const [pending, setPending] = useState<ProtectionChange | null>(null)
  const [showCopies, setShowCopies] = useState(false)
  const now: Protection = { include: linesOf(included.value), never: linesOf(never.value) }
  const formerlyProtected = unprotected(now)
  const change = async ({ folder, action }: ProtectionChange): Promise<void> => {
    const next = (action === 'protect' ? protect : unprotect)(now, folder)
    // The exclude list comes first: changing the protected folders copies them, which the list would prevent.
    const done = (await never.set(next.never.join('\n'))) && (await included.set(next.include.join('\n')))
    if (!done) return
    setPending(null)
    setShowCopies(action === 'stop')
    coverage.refetch()
  }
  return (
    <>
      <h2 className="label settings-label">Excluded in {name}</h2>
      {coverage.data ? (
        <ExcludedGroups coverage={coverage.data} onProtect={(folder) => setPending({ folder, action: 'protect' })} />
      ) : null}
      <FolderList
        title="Ignored folders you protect"
        folders={now.include}
        act="Stop protecting"
        onAct={(folder) => setPending({ folder, action: 'stop' })}
      />
      <FolderList
        title="No longer protected"
        folders={formerlyProtected}
        act="Protect again"
        onAct={(folder) => setPending({ folder, action: 'protect' })}
      />
      {showCopies ? (
        <div className="set">
          <ExcludedCopiesPanel folders={[{ id: workspace, name }]} onClose={() => setShowCopies(false)} />
        </div>
      ) : null}
      {pending ? (
        <ConfirmDialog
          title={`${WORDS[pending.action].act} ${pending.folder}?`}
          confirmLabel={WORDS[pending.action].act}
          disabledReason={included.busy || never.busy ? WORDS[pending.action].busy : null}
          problem={included.error ?? never.error}
          onConfirm={() => void change(pending)}
          onClose={() => setPending(null)}
        >
          {WORDS[pending.action].text.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

interface ExcludedGroupsProps {
  readonly coverage: Result<'coverage.list'>
  readonly onProtect: (folder: string) => void
}

function ExcludedGroups({ coverage: { notCovered, covered }, onProtect }: ExcludedGroupsProps) {
  if (notCovered.length === 0)
    return (
      <p className="small muted settings-after">
        Nothing is excluded. All {plural(covered.files, 'file')} are covered.
      </p>
    )
  return (
    <div className="set">
      {[...Map.groupBy(notCovered, ({ reason }) => reason)].map(([reason, paths]) => (
        <SettingRow key={reason} title={`${excludedHeading(reason)}, ${paths.length}`}>
          {excludedExplanation(reason, 'capture')}
          <FirstLines items={paths} limit={MAX_PATHS} className="left-out" restNoun="other">
            {(path) => <ExcludedPathLine key={path.path} path={path} onProtect={() => onProtect(path.path)} />}
          </FirstLines>
        </SettingRow>
      ))}
    </div>
  )
}

interface FolderListProps {
  readonly title: string
  readonly folders: readonly string[]
  readonly act: string
  readonly onAct: (folder: string) => void
}

function FolderList({ title, folders, act, onAct }: FolderListProps) {
  if (folders.length === 0) return null
  return (
    <>
      <h2 className="label settings-label">{title}</h2>
      <ul className="set" aria-label={title}>
        {folders.map((folder) => (
          <li key={folder} className="setting">
            <span className="mono cap grow setting-text set-path">{folder}</span>
            <Button size="sm" aria-label={`${act}: ${folder}…`} onClick={() => onAct(folder)}>
              {act}…
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

interface ExcludedPathLineProps {
  readonly path: ExcludedPath
  readonly onProtect: () => void
}

function ExcludedPathLine({ path: { path, reason, size }, onProtect }: ExcludedPathLineProps) {
  const isFolder = reason === 'ignored' && size === undefined
  return (
    <li>
      <span className="mono cap grow">{path}</span>
      {size === undefined ? null : <span className="num">{formatBytes(size)}</span>}
      {isFolder ? (
        <Button size="sm" aria-label={`Protect ${path}…`} onClick={onProtect}>
          Protect…
        </Button>
      ) : null}
    </li>
  )
}

/** Protected ignored folders and formerly protected ones: two settings of a workspace, as lines. */
interface Protection {
  /** `capture.include`: ignored folders that are stored. */
  readonly include: readonly string[]
  /** `capture.never` of this workspace: patterns of files that are not stored. */
  readonly never: readonly string[]
}

function linesOf(value: string | null): string[] {
  return (value ?? '').split('\n').filter(Boolean)
}

/** Stores the folder from now on. */
export function protect({ include, never }: Protection, folder: string): Protection {
  return {
    include: include.includes(folder) ? include : [...include, folder],
    never: never.filter((line) => line !== patternOf(folder))
  }
}

/**
 * Stops storing the folder. The exclude pattern is required: paths already in the log would otherwise still be stored
 * (LG-5).
 */
export function unprotect({ include, never }: Protection, folder: string): Protection {
  const pattern = patternOf(folder)
  return {
    include: include.filter((path) => path !== folder),
    never: never.includes(pattern) ? never : [...never, pattern]
  }
}

/** Formerly protected folders, derived from their exclude patterns. */
export function unprotected({ never }: Protection): string[] {
  return never.flatMap((line) => {
    const folder = line.slice(1, -1).replace(/\\(.)/g, '$1')
    return patternOf(folder) === line ? [folder] : []
  })
}

/** A .gitignore line that matches only this folder. */
function patternOf(folder: string): string {
  return `/${folder.replace(/[\\*?[\]!# ]/g, '\\$&')}/`
}
