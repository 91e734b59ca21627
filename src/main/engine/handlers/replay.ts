/** Replay: the edits of a run, or between two positions, in order. */
import { replayPage } from '../diff/replay.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const REPLAY: WorkspaceHandlers<'replay.edits'> = {
  'replay.edits': ({ store }, params) => replayPage(store, params)
}
