/** What a banner is made of. */
import type { RestoreRequest } from '../../../contract/restore.ts'
import type { WorkspaceDialog } from '../../state/store.ts'
import type { IconName } from '../../ui/icon.tsx'

export type BannerAction =
  | {
      readonly do: 'retry' | 'copy-details' | 'finish-copy' | 'watch' | 'confirm-list' | 'hosts'
    }
  /** `name`: what `git.restore` takes. */
  | { readonly do: 'restore-repository'; readonly name: string }
  | { readonly do: 'copy-text'; readonly text: string }
  | { readonly do: 'open'; readonly dialog: WorkspaceDialog }
  | { readonly do: 'preview'; readonly request: RestoreRequest }
  /** Shows an entry of the timeline. */
  | { readonly do: 'review'; readonly entry: string }
  | { readonly do: 'accept'; readonly drift: string }
  | { readonly do: 'unqueue'; readonly queued: string }
  | { readonly do: 'brake'; readonly run: string; readonly decision: 'restore' | 'release' | 'end' }
  | { readonly do: 'cancel-search' | 'dismiss-search' }
  /** Writes a comment on the run about what a search found, and opens the review. */
  | { readonly do: 'tell-agent'; readonly run: string; readonly path: string | null; readonly text: string }
  | { readonly do: 'pin-position'; readonly target: string; readonly label: string }
  | { readonly do: 'record'; readonly folders: readonly string[] }
  /** Whether worktrees of this repository are recorded by themselves. */
  | { readonly do: 'worktrees'; readonly mode: 'on' | 'off' }
  | { readonly do: 'switch'; readonly workspace: string }

export interface Banner {
  /** Changes with new information, so that a dismissed banner shows again. */
  readonly key: string
  readonly tone: 'warn' | 'danger' | 'info'
  readonly icon: IconName
  /** Bold first part. */
  readonly lead: string
  readonly rest: string
  readonly detail: string
  readonly actions: readonly { readonly label: string; readonly action: BannerAction }[]
  readonly canDismiss: boolean
  /** The interrupted run that it describes. */
  readonly run?: string
}

export type BannerParts = Pick<Banner, 'key' | 'tone' | 'icon' | 'lead'> & Partial<Banner>

export function banner(parts: BannerParts): Banner {
  return { rest: '', detail: '', actions: [], canDismiss: parts.tone !== 'danger', ...parts }
}
