/**
 * The head of a file history: the path, a summary of its history, and the actions of the file and the selected version.
 */
import { splitPath } from '../../../contract/words/paths.ts'
import { historySummary, restoreDisabledReason } from '../../../contract/words/versions.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useFileActions, useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { useNow } from '../../ui/use-now.ts'
import { type FileHistory, restoreVersionRequest } from './use-file-history.ts'

interface FileHeaderProps {
  readonly history: FileHistory
  /** The version list is not shown beside it. */
  readonly standalone: boolean
}

export function FileHeader({ history, standalone }: FileHeaderProps) {
  const { actions } = useOpenWorkspace()
  const { openInEditor, reveal } = useFileActions()
  const unavailable = useWorkspaceState(restoreUnavailable)
  const now = useNow('minute')
  const { path, version } = history
  const { folder, name } = splitPath(path)
  const disabledReason = unavailable ?? (version ? restoreDisabledReason(version) : 'The versions are still loading')
  return (
    <section className="entry" aria-label="File">
      {standalone ? (
        <IconButton icon="left" label="Back to changes" keys="Escape" onClick={actions.closeHistory} />
      ) : null}
      <h1 className="entry-title history-path ell" data-tip={path}>
        <span>{folder}</span>
        {name}
      </h1>
      <div className="entry-facts">
        <Dotted facts={historySummary(history.versions ?? [], now)} />
      </div>
      {openInEditor ? (
        <Button icon="external" className="entry-act" data-tip="Open in editor" onClick={() => openInEditor(path)}>
          Open in editor
        </Button>
      ) : null}
      <Button
        icon="restore"
        className="entry-act"
        data-tip="Restore this version…"
        disabledReason={disabledReason}
        onClick={() => version && actions.openPreview(restoreVersionRequest(path, version))}
      >
        Restore this version…
      </Button>
      <MenuButton
        label="More actions"
        align="right"
        items={[
          { id: 'copy', label: 'Copy path', icon: 'copy', run: () => actions.copy(path) },
          ...(reveal
            ? [{ id: 'reveal', label: 'Show in folder', icon: 'folder' as const, run: () => reveal(path) }]
            : [])
        ]}
      >
        <Icon name="more" />
      </MenuButton>
    </section>
  )
}
