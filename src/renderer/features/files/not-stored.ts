/** Why the content of a file version is not stored, and what the user can do about it (UI-1). */
import type { NotStoredReason } from '../../../contract/log.ts'

interface NotStoredWords {
  readonly title: string
  readonly remedy: string
}

export const NOT_STORED_WORDS: Readonly<Record<NotStoredReason, NotStoredWords>> = {
  'too-large': {
    title: 'Not stored: over the size limit',
    remedy: 'Larger files are listed but not stored. Raise the limit in Settings, Capture, or make the file smaller.'
  },
  unreadable: {
    title: 'Not stored: could not be read',
    remedy: 'Allow your user to read the file. The next change is then stored.'
  },
  changing: {
    title: 'Not stored: kept changing while it was read',
    remedy: 'The file is read again after its next change.'
  },
  ignored: {
    title: 'Not stored: ignored by git',
    remedy: 'Ignored folders, and ignored files over 5 MB, are not stored. Stop ignoring it to store the next version.'
  },
  never: {
    title: 'Not stored: on your exclude list',
    remedy: 'Remove it from the list in Settings, Capture, to store the next version.'
  },
  special: {
    title: 'Not stored: a device, pipe or socket',
    remedy: 'Such files have no content to store.'
  },
  name: {
    title: 'Not stored: the name is not valid text',
    remedy: 'Rename the file to store it.'
  },
  workspace: {
    title: 'Not stored here: part of another recorded folder or git worktree',
    remedy: 'Open that folder to see its history.'
  },
  pending: {
    title: 'Not stored: changed before the initial snapshot reached it',
    remedy: 'Later versions are stored.'
  },
  pruned: {
    title: 'Content removed to save space',
    remedy: 'The history was over its limits, or the file is on the exclude list.'
  }
}
