/** Replay: the edits of a run, or between two positions, in order, and a file at one of them. */
import { replayMoment, replayPage } from '../diff/replay.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const REPLAY: WorkspaceHandlers<'replay.edits' | 'replay.file'> = {
  'replay.edits': ({ store }, params) => replayPage(store, params),
  'replay.file': ({ store }, params) => replayMoment(store, params)
}
