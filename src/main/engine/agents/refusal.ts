/**
 * [RV-7] Refuses a call of a file tool that would write exactly what a person undid. Only what its input states is
 * judged: a command, or a call that also does something else, is never refused.
 */
import { refusedWhileStoppedText } from '../../../contract/words/brake.ts'
import { blocksOf, type ChangedBlock, presentText, wereUndone } from '../review/undone-changes.ts'
import { blockingStop } from '../store/brake-stops.ts'
import { findSession } from '../store/sessions.ts'
import { isAgent, type ToolUse } from './agent-action.ts'
import { MAX_ANSWER_MS } from './answer.ts'
import type { IngestContext } from './ingest-context.ts'
import { readStatedEdits, replaceIn, type StatedEdit } from './stated-edits.ts'
import { toWorkspacePaths } from './workspace-paths.ts'

/**
 * [BR-5] Why a tool of a stopped run must not run; null if it may. Tools that only read may, so that the agent can ask
 * the person.
 */
export function reasonWhileStopped(ingest: IngestContext, run: string, use: ToolUse): string | null {
  const stop = blockingStop(ingest.store, run)
  if (stop === null || use.writeScope === 'nothing' || !isAnswerable(ingest)) return null
  return refusedWhileStoppedText(stop, stop.state === 'ended')
}

/** A hook that has given up would run the tool, whatever the answer. */
function isAnswerable({ fromSpool, gateway, hookEvent }: IngestContext): boolean {
  return !fromSpool && isAgent(hookEvent.agent) && gateway.clock.now() - hookEvent.at <= MAX_ANSWER_MS
}

/** Why the tool must not run; null if it may. Call it when the log is up to date for the paths of the tool. */
export function reasonToRefuse(ingest: IngestContext, use: ToolUse): string | null {
  const { workspace, store, hookEvent, origin } = ingest
  const { agent, payload } = hookEvent
  if (workspace.setting('review.refuse-undone') !== 'on' || !isAgent(agent)) return null
  if (use.writeScope !== 'paths' || !isAnswerable(ingest)) return null
  const session = findSession(store, origin.session)
  const edits = session && readStatedEdits(agent, payload)
  if (!session || !edits) return null
  const paths = edits.map((edit) => {
    const [path] = toWorkspacePaths(workspace.root, origin.cwd, [edit.path])
    const blocks = path === undefined ? null : changedBlocks(ingest, path, edit)
    return path !== undefined && blocks && wereUndone(store, session, path, blocks) ? path : null
  })
  return paths.every((path) => path !== null) ? reasonText(paths) : null
}

function changedBlocks({ store }: IngestContext, path: string, edit: StatedEdit): ChangedBlock[] | null {
  if ('lines' in edit)
    return edit.lines.map(([deleted, added]) => ({ deleted: bytesOf(deleted), added: bytesOf(added) }))
  const present = presentText(store, path)
  if (!present) return null
  const after = 'text' in edit ? edit.text : replaceIn(present.toString('utf8'), edit.replace)
  return after === null ? null : blocksOf(present, Buffer.from(after, 'utf8'))
}

/** As the bytes of the file are compared. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function reasonText(paths: readonly string[]): string {
  return `The user undid exactly this change of ${paths.join(', ')}, so Driftline refused to write it again. Leave it undone, and tell the user. If the user wants it back, they can undo the undo in Driftline, or set review.refuse-undone to off.`
}
