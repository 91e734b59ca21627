/**
 * Events of another machine, as the pages here get them: with ids that name the host, and only in forms that pages know.
 * A machine that is broken or hostile can report about its own workspaces at most. Pure.
 */
import type { ChangedKind, EngineEvents, EventName } from '../../contract/api.ts'
import { idOnHost } from '../../contract/hosts.ts'
import type { EventFrame } from '../../contract/wire.ts'

const KINDS: ReadonlySet<unknown> = new Set<ChangedKind>([
  'edits',
  'runs',
  'checkpoints',
  'restores',
  'drift',
  'status',
  'sessions',
  'reviews'
])
const COVERAGE: ReadonlySet<unknown> = new Set<EngineEvents['coverage.changed']['coverage']>([
  'copying',
  'complete',
  'partial'
])
/** Paths in one event, as the engine limits them. */
const PATHS_LIMIT = 200

type Fields = Readonly<Record<string, unknown>>

const isText = (value: unknown): boolean => typeof value === 'string'
const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 0
const isList = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem)
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** What each event must hold, beside its workspace; events that are not here are not passed on. */
const FORMS: Partial<Readonly<Record<EventName, (payload: Fields) => boolean>>> = {
  'workspace.changed': ({ rev, kinds, paths }) =>
    isCount(rev) && isList(kinds, (kind) => KINDS.has(kind)) && isList(paths, isText),
  'coverage.changed': ({ coverage, copy }) => COVERAGE.has(coverage) && (copy === null || isCopy(copy)),
  'restore.progress': ({ restore, phase, done, total, path }) =>
    [restore, phase, path].every(isText) && isCount(done) && isCount(total),
  'restore.queue-ended': ({ queued, state, files }) =>
    isRecord(queued) && isRecord(queued.request) && isText(queued.id) && isText(state) && isCount(files),
  'run.ended': ({ run, title, files }) => isText(run) && isText(title) && isCount(files)
}

function isCopy(copy: unknown): boolean {
  return isRecord(copy) && [copy.files, copy.filesTotal, copy.bytes].every(isCount)
}

/** The event for the pages; null for one that they do not get. */
export function farEvent(
  host: string,
  { event, payload }: EventFrame
): { readonly event: EventName; readonly payload: never } | null {
  const isKnown = Object.hasOwn(FORMS, event) && isRecord(payload) && isText(payload.workspace)
  if (!isKnown || !FORMS[event]?.(payload)) return null
  // A workspace of a host of that host is none of ours.
  const workspace = String(payload.workspace)
  if (workspace.includes(':')) return null
  const { paths } = payload as { readonly paths?: readonly string[] }
  return {
    event,
    payload: {
      ...payload,
      workspace: idOnHost(host, workspace),
      ...(paths === undefined ? {} : { paths: paths.slice(0, PATHS_LIMIT) })
    } as never
  }
}

/** Whether the list of the host's folders may differ after the event. */
export function changesFolders({ event }: EventFrame): boolean {
  return event === 'workspaces.changed' || event === 'workspace.changed' || event === 'coverage.changed'
}
