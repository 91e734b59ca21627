/** The folder at a position, and what a search for the edit that broke a command needs of the log. */

import { DriftlineError } from '../../../contract/errors.ts'
import { describeChange, findCandidates } from '../bisect/candidates.ts'
import { partsOfChange } from '../bisect/change-parts.ts'
import { makePositionFolder } from '../bisect/position-folders.ts'
import { requirePosition } from '../bisect/position-versions.ts'
import { writePosition } from '../bisect/write-position.ts'
import { requireFolder } from '../capture/presence.ts'
import { pathNamesEditedAfter } from '../store/edits.ts'
import { resolveTarget } from '../store/targets.ts'
import type { WorkspaceHandlers } from './handler.ts'

/** Names in an answer of `position.changes`. */
const MOST_NAMES = 10_000

export const BISECT: WorkspaceHandlers<
  | 'position.write'
  | 'position.changes'
  | 'bisect.candidates'
  | 'bisect.change'
  | 'bisect.parts'
  | 'bisect.start'
  | 'bisect.cancel'
  | 'bisect.state'
  | 'bisect.dismiss'
> = {
  'position.write': async (open, { target, owner, also, like, between, parts }, { options }) => {
    const { store, root } = open
    requireFolder(open, 'the position was not prepared.')
    // The candidates of a search were found after a check of the disk, and each probe is checked when it ends.
    if (!between) await open.lock.run(() => open.refresh('present'))
    const position = { seq: resolveTarget(store, target).seq, between: between ?? null, parts: parts ?? null }
    requirePosition(position)
    const folder = makePositionFolder(options.dataDir, owner)
    return writePosition(store, root, position, { folder, also: also ?? [], like: like ?? null })
  },
  'position.changes': async (open, { since }) => {
    await open.lock.run(() => open.refresh('present'))
    return { head: open.store.records.lastSeq(), paths: pathNamesEditedAfter(open.store, since, MOST_NAMES) }
  },
  'bisect.candidates': async (open, { workspace: _, ...ends }) => {
    await open.lock.run(() => open.refresh('present'))
    return findCandidates(open.store, ends)
  },
  'bisect.start': (open, { workspace, ...request }, { searches }) => {
    requireFolder(open, 'the search was not started.')
    if (!searches) throw new DriftlineError('Refused', 'Only a recorder runs searches. Use "driftline bisect" instead.')
    return { search: searches.start({ workspace, root: open.root }, request) }
  },
  'bisect.cancel': (_open, { workspace }, { searches }) => {
    searches?.cancel(workspace)
    return {}
  },
  'bisect.state': (_open, { workspace }, { searches }) => ({ search: searches?.state(workspace) ?? null }),
  'bisect.dismiss': (_open, { workspace }, { searches }) => {
    searches?.dismiss(workspace)
    return {}
  },
  'bisect.change': ({ store }, { edits }) => ({ change: describeChange(store, edits) }),
  'bisect.parts': ({ store }, { between, from, to }) => ({ parts: partsOfChange(store, between, from, to) })
}
