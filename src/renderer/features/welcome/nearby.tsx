/** Repositories near the home folder that are not recorded yet: each is one click from being protected. */
import { baseName, shortPath } from '../../../contract/words/paths.ts'
import { useHome, useQuery } from '../../client/use-query.ts'
import { Icon } from '../../ui/icon.tsx'

const MAX_SHOWN = 4

interface NearbyProps {
  /** Folders that are recorded: one that was added after the answer is in it still. */
  readonly recorded: readonly string[]
  readonly onAdd: (folder: string) => void
}

export function Nearby({ recorded, onAdd }: NearbyProps) {
  const home = useHome()
  // A convenience: without an answer the path field does the same.
  const near = useQuery('workspaces.complete', { prefix: '' }).data?.folders ?? []
  const folders = near.filter((folder) => !recorded.includes(folder)).slice(0, MAX_SHOWN)
  if (folders.length === 0) return null
  return (
    <section aria-label="Repositories on this computer">
      <h2 className="label">Repositories on this computer</h2>
      <ul className="recs">
        {folders.map((folder) => (
          <li key={folder}>
            <button type="button" className="rec" onClick={() => onAdd(folder)}>
              <b>{baseName(folder)}</b>
              <span className="muted small ell rec-path">{shortPath(folder, home)}</span>
              <span className="grow" />
              <span className="muted small">Record</span>
              <Icon name="plus" size="s" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
