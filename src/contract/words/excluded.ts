/**
 * Why the content of a path is not stored, and what to do about it (UI-1). Every text about it is built from this
 * table.
 */
import type { NotStoredReason } from '../log.ts'
import type { ExcludedReason } from '../workspace.ts'
import { capitalized } from './text.ts'

interface ReasonWords {
  /** Completes "not stored: …". */
  readonly phrase: string
  readonly explanation: string
  /** What a setting of the page Capture does about it. */
  readonly setting?: string
}

const REASONS: Readonly<Record<ExcludedReason, ReasonWords>> = {
  'too-large': {
    phrase: 'over the size limit',
    explanation: 'Larger files are listed but not stored, so they cannot be restored.',
    setting: 'Raise the limit'
  },
  unreadable: {
    phrase: 'could not be read',
    explanation:
      'Driftline has no permission to read the content, or another program keeps it open. Each check tries again. On macOS, access is allowed in System Settings, Privacy & Security, Files and Folders.'
  },
  changing: {
    phrase: 'kept changing while it was read',
    explanation: 'The content changed three times while it was read. The next check tries again.'
  },
  ignored: {
    phrase: 'ignored',
    explanation: 'Folders that git ignores, folders such as node_modules, and ignored files over 5 MB are not stored.',
    setting: 'Protect an ignored folder'
  },
  never: {
    phrase: 'on your exclude list',
    explanation: 'The content is not stored, as you chose. Changes are still listed.',
    setting: 'Edit the list'
  },
  special: {
    phrase: 'a device, pipe or socket',
    explanation: 'Devices, pipes and sockets have no content to store and are never opened.'
  },
  name: {
    phrase: 'name is not valid UTF-8',
    explanation: 'Names that are not valid UTF-8 are not covered. Rename the file to store it.'
  },
  workspace: {
    phrase: 'part of another recorded folder or git worktree',
    explanation: 'Each recorded folder has its own history. A git worktree that is not recorded yet can be added.'
  },
  repository: {
    phrase: 'the git repository of a subfolder or submodule',
    explanation:
      'Its files are recorded. Git’s own state is kept of at most 100 repositories in subfolders, and of none where the setting git.state is off. Add the subfolder as a folder of its own, and its branches, stashes and .git can be restored. A path in .git is a submodule whose files are elsewhere, as in a worktree outside the folder: record that worktree.'
  },
  pending: {
    phrase: 'not reached by the initial snapshot',
    explanation: 'Files are copied before they change. Later versions are stored.'
  },
  pruned: {
    phrase: 'removed to save space',
    explanation: 'The history was over its limits, or the file is on the exclude list.'
  },
  damaged: {
    phrase: 'its stored content is damaged',
    explanation:
      'The stored content cannot be read, so it is neither shown nor restored. Other versions and files are not affected. Driftline repairs it when a file with the same content appears in the folder again.'
  },
  hidden: {
    phrase: 'left out by the sender',
    explanation:
      'This run was sent as a bundle without content that may contain a secret, or that is too large for a bundle.'
  }
}

/** "over the size limit", for lists of paths that are not stored. */
export function excludedPhrase(reason: ExcludedReason): string {
  return REASONS[reason]?.phrase ?? reason
}

/** "Over the size limit", for the heading of such a list. */
export function excludedHeading(reason: ExcludedReason): string {
  return capitalized(excludedPhrase(reason))
}

/** What the reason means, and what to do about it. `onPage`: on the page of the settings where that is done. */
export function excludedExplanation(reason: ExcludedReason, onPage?: 'capture'): string {
  const { explanation, setting } = REASONS[reason]
  return setting === undefined || onPage ? explanation : `${explanation} ${setting} in Settings, Capture.`
}

/** "Not stored: over the size limit", of one version. */
export function notStoredTitle(reason: NotStoredReason): string {
  if (reason === 'damaged') return 'Stored content is damaged'
  if (reason === 'hidden') return 'Left out by the sender'
  return reason === 'pruned' ? 'Content removed to save space' : `Not stored: ${excludedPhrase(reason)}`
}

/** "was not stored: over the size limit": a predicate whose subject is a path of an earlier position. */
export function wasNotStored(reason: NotStoredReason): string {
  if (reason === 'damaged') return 'cannot be restored: its stored content is damaged'
  if (reason === 'hidden') return `was ${REASONS.hidden.phrase}`
  if (reason === 'pruned') return 'is no longer stored: over the history limits, or on the exclude list'
  return reason === 'workspace' ? `is ${excludedPhrase(reason)}` : `was not stored: ${excludedPhrase(reason)}`
}
