/** The banners about worktrees of the repository. Pure. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { baseName } from '../../../contract/words/paths.ts'
import { removedWorktreeText } from '../../../contract/words/worktrees.ts'
import type { RecordedWorktree } from '../../../contract/workspace.ts'
import { type Banner, banner } from './banner-parts.ts'

/** [WT-3] In a worktree that was removed, which is restored where it was. */
export function missingWorktree(own: RecordedWorktree, folder: string): Banner {
  return banner({
    key: 'missing',
    tone: 'warn',
    icon: 'folder',
    lead: `Worktree ${own.worktree} was removed.`,
    detail: `Its history is kept. Restoring it creates ${folder} again, with git’s link to it.`,
    actions: [
      {
        label: 'Restore it here…',
        action: { do: 'preview', request: { kind: 'restore', target: own.target, outside: 'replace' } }
      },
      { label: 'Stop recording…', action: { do: 'open', dialog: 'remove' } }
    ],
    canDismiss: false
  })
}

/** [WT-3] */
export function removedWorktree(removed: RecordedWorktree): Banner {
  return banner({
    key: `removed-${removed.id}-${removed.removedAt}`,
    tone: 'warn',
    icon: 'folder',
    lead: removedWorktreeText(removed),
    detail:
      'Its history is kept as long as any other. Restore those files into this folder, or the worktree where it was.',
    actions: [
      {
        label: 'Restore into this folder…',
        action: { do: 'preview', request: { kind: 'worktree', worktree: removed.id } }
      },
      { label: 'Open the worktree', action: { do: 'switch', workspace: removed.id } }
    ]
  })
}

export function unrecordedWorktrees(list: WorkspaceStatus['worktrees'], mode: WorkspaceStatus['worktreeMode']): Banner {
  const folders = list.map(({ folder }) => folder)
  const names = list
    .slice(0, 3)
    .map(({ folder, branch }) => (branch ? `${baseName(folder)} (${branch})` : baseName(folder)))
  const more = list.length > 3 ? ` and ${formatNumber(list.length - 3)} more` : ''
  return banner({
    key: `worktrees-${folders.join(':')}`,
    tone: 'info',
    icon: 'folder',
    lead: `${plural(list.length, 'worktree')} of this repository ${list.length === 1 ? 'is' : 'are'} not recorded.`,
    detail: `${names.join(', ')}${more}. Each gets its own history; git’s data is not changed.`,
    actions: [
      { label: list.length === 1 ? 'Record it' : 'Record them', action: { do: 'record', folders } },
      ...(mode === 'ask'
        ? ([
            { label: 'Always record', action: { do: 'worktrees', mode: 'on' } },
            { label: 'Never', action: { do: 'worktrees', mode: 'off' } }
          ] as const)
        : [])
    ]
  })
}
