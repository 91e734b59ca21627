/** Marks a review of a bundle: whose run it is, that it can only be read, and what can be done with it. */
import { toErrorShape } from '../../../contract/errors.ts'
import { reviewDetail, reviewLead } from '../../../contract/words/bundles.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace, WorkspaceSummary } from '../../../contract/workspace.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useHome, useQuery } from '../../client/use-query.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { useToasts } from '../toast/toasts.tsx'

interface ReviewBannerProps {
  /** Applies the run to this recorded folder. */
  readonly onApply: (target: Workspace) => void
  readonly onHome: () => void
}

export function ReviewBanner({ onApply, onHome }: ReviewBannerProps) {
  const { workspace } = useOpenWorkspace()
  const { client } = useDriftline()
  const toasts = useToasts()
  const connected = useConnectionState().phase === 'open'
  const { bundle } = workspace
  if (!bundle) return null
  const close = () => {
    client.call('bundle.close', { bundle: workspace.id }).then(onHome, (error: unknown) => {
      toasts.show({ id: 'error', icon: 'warn', text: toErrorShape(error).message })
    })
  }
  return (
    <div className="banners">
      <section className="banner" data-tone="info" aria-label="Review of a bundle">
        <Icon name="eye" />
        <div className="grow">
          <div className="banner-lead">
            <b>Review of a bundle.</b> {reviewLead(bundle)}
          </div>
          <div className="banner-detail ell">{reviewDetail(bundle)}</div>
        </div>
        <div className="banner-actions">
          <ApplyButton onChoose={onApply} />
          <Button
            size="sm"
            className="banner-button"
            disabledReason={connected ? null : 'no connection'}
            onClick={close}
          >
            Close review
          </Button>
        </div>
      </section>
    </div>
  )
}

/** Applies the run to a recorded folder: which one, is chosen here. */
function ApplyButton({ onChoose }: { readonly onChoose: (target: Workspace) => void }) {
  const home = useHome()
  const { data } = useQuery('workspaces.list', {})
  const folders = data?.workspaces ?? []
  return (
    <MenuButton
      label="Apply to a folder"
      named
      align="right"
      className="btn sm banner-button"
      items={
        folders.length === 0
          ? [{ id: 'none', label: 'No folder is recorded yet', disabled: 'Record the folder first', run: () => {} }]
          : folders.map((folder: WorkspaceSummary) => ({
              id: folder.id,
              label: folder.name,
              about: shortPath(folder.root, home),
              disabled: folder.folder === 'missing' ? 'The folder was not found' : null,
              run: () => onChoose(folder)
            }))
      }
    >
      Apply to… <Icon name="down" size="s" />
    </MenuButton>
  )
}
