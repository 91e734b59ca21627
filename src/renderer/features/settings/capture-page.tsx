/** What is copied and what is left out. */
import { useQuery } from '../../client/use-query.ts'
import { bytes, plural } from '../../ui/format.ts'
import { NOT_KEPT } from '../../ui/reasons.ts'
import { SettingRow } from './setting-row.tsx'
import type { PageProps } from './settings-screen.tsx'

/** Paths shown of each reason. */
const MOST = 8

export function CapturePage({ workspace }: PageProps) {
  return (
    <>
      <h1>Capture</h1>
      <p className="muted">
        Every file in a recorded folder is copied when it changes, whoever changes it. What is left out is always
        listed, with the reason.
      </p>
      <div className="set">
        <SettingRow title="Largest file">Files over 50 MB are watched, but their contents are not kept.</SettingRow>
        <SettingRow title="Ignored folders">
          Folders that git ignores, and ones such as node_modules, are left out. Ignored files outside them are kept up
          to 5 MB, and whatever an agent names before it writes is kept in any case.
        </SettingRow>
      </div>
      {workspace ? <LeftOut workspace={workspace.id} name={workspace.name} /> : null}
    </>
  )
}

function LeftOut({ workspace, name }: { readonly workspace: string; readonly name: string }) {
  const coverage = useQuery('coverage.list', { workspace }, { workspace, on: ['status', 'edits'] })
  const groups = [...Map.groupBy(coverage.data?.notCovered ?? [], ({ reason }) => reason)]
  return (
    <>
      <h2 className="label settings-label">Left out in {name}</h2>
      {coverage.data && groups.length === 0 ? (
        <p className="small muted settings-after">
          Nothing. All {plural(coverage.data.covered.files, 'file')} are kept.
        </p>
      ) : null}
      {groups.length > 0 ? (
        <div className="set">
          {groups.map(([reason, paths]) => (
            <SettingRow key={reason} title={`${NOT_KEPT[reason].title}, ${paths.length}`}>
              {NOT_KEPT[reason].what}
              <ul className="plain mono cap">
                {paths.slice(0, MOST).map(({ path, size }) => (
                  <li key={path}>
                    {path}
                    {size === undefined ? '' : `, ${bytes(size)}`}
                  </li>
                ))}
              </ul>
              {paths.length > MOST ? `and ${plural(paths.length - MOST, 'other')}` : null}
            </SettingRow>
          ))}
        </div>
      ) : null}
    </>
  )
}
