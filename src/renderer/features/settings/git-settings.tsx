/** What is recorded of git: worktrees, and its own state; for all folders and for the open one. */
import { SETTINGS } from '../../../contract/settings.ts'
import { MEANINGS } from '../../../contract/words/settings.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { forFolder, StoredRow, type StoredSetting } from './settings-table.tsx'

const WORKTREES: StoredSetting = {
  key: 'git.worktrees',
  title: 'Record worktrees automatically',
  about: MEANINGS['git.worktrees'],
  initial: SETTINGS['git.worktrees'].initial,
  values: [
    { value: 'ask', label: 'Ask' },
    { value: 'on', label: 'On' },
    { value: 'off', label: 'Off' }
  ]
}

const STATE: StoredSetting = {
  key: 'git.state',
  title: 'Keep git’s own state',
  about: MEANINGS['git.state'],
  initial: SETTINGS['git.state'].initial,
  values: { on: 'on', off: 'off' }
}

export function GitSettings({ workspace }: { readonly workspace: WorkspaceSummary | null }) {
  return (
    <>
      <h2 className="label settings-label">Git</h2>
      <div className="set">
        <StoredRow setting={WORKTREES} />
        {/* Of a worktree, its main folder decides. */}
        {workspace && workspace.worktreeOf === undefined ? (
          <StoredRow setting={forFolder(WORKTREES.key, workspace.id, `Record worktrees of ${workspace.name}`)} />
        ) : null}
        <StoredRow setting={STATE} />
        {workspace ? (
          <StoredRow setting={forFolder(STATE.key, workspace.id, `Keep git’s own state of ${workspace.name}`)} />
        ) : null}
      </div>
    </>
  )
}
