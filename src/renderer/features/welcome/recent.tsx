/** The recorded folders. A missing one can be located or removed. */
import { plural } from '../../../contract/words/numbers.ts'
import { baseName, shortPath } from '../../../contract/words/paths.ts'
import { dayInText } from '../../../contract/words/times.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { useHome } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface RecentProps {
  /** A part of the list has its own title: that of a host. */
  readonly title?: string
  readonly about?: string
  readonly workspaces: readonly WorkspaceSummary[]
  readonly onOpen: (workspace: string) => void
  readonly onLocate: (workspace: WorkspaceSummary) => void
  readonly onRemove: (workspace: WorkspaceSummary) => void
}

export function Recent({ title = 'Recent', about, workspaces, onOpen, onLocate, onRemove }: RecentProps) {
  const home = useHome()
  const sorted = workspaces.toSorted((a, b) => (b.lastAt ?? b.addedAt) - (a.lastAt ?? a.addedAt))
  return (
    <section aria-label={title}>
      <h2 className="label">
        {title}
        {about ? <span className="rec-about">{about}</span> : null}
      </h2>
      <ul className="recs">
        {sorted.map((workspace) => (
          <li key={workspace.id}>
            {workspace.folder === 'missing' ? (
              <div className="rec lost">
                <i className="knot rec-knot" />
                <b className="muted">{workspace.name}</b>
                <span className="muted small ell rec-path">folder not found at {shortPath(workspace.root, home)}</span>
                <span className="grow" />
                <Button size="sm" onClick={() => onLocate(workspace)}>
                  Locate…
                </Button>
                <Button size="sm" kind="ghost" onClick={() => onRemove(workspace)}>
                  Remove…
                </Button>
              </div>
            ) : (
              <button type="button" className="rec" onClick={() => onOpen(workspace.id)}>
                <i className="knot rec-knot" data-tone="fill" />
                <b>{workspace.name}</b>
                <span className="muted small ell rec-path">
                  {shortPath(workspace.root, home)}
                  {workspace.worktreeOf ? `, worktree of ${baseName(workspace.worktreeOf)}` : ''}
                </span>
                <span className="grow" />
                <Badge workspace={workspace} />
                <span className="muted small rec-when">{when(workspace)}</span>
                <Icon name="right" size="s" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Badge({ workspace }: { readonly workspace: WorkspaceSummary }) {
  if (workspace.live)
    return (
      <span className="badge" data-tone="live">
        live
      </span>
    )
  if (workspace.openDrift > 0) {
    return <span className="c-warn small">{plural(workspace.openDrift, 'outside change')}</span>
  }
  if (workspace.coverage === 'copying') return <span className="badge">initial snapshot</span>
  if (workspace.coverage === 'partial')
    return (
      <span className="badge" data-tone="warn">
        partly covered
      </span>
    )
  return null
}

function when({ runsToday, lastAt }: WorkspaceSummary): string {
  if (runsToday > 0) return `${plural(runsToday, 'run')} today`
  return lastAt === null ? 'no runs yet' : dayInText(lastAt, Date.now())
}
