/**
 * One use of a file tool: worked out, recorded before and after as a call in a run, and written in between. What is
 * refused before anything is written leaves no trace. Uses in one folder take turns, whichever process they come from.
 */
import { join } from 'node:path'
import type { Params } from '../../../contract/api.ts'
import type { ToolAnswer, ToolUse } from '../../../contract/tools.ts'
import { type HeldLock, acquireLock } from '../db/host-lock.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { checkNamedPaths, recordFolders } from '../drift/named-paths.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import { refusal } from '../files/named-path.ts'
import { sameSignature } from '../files/signature.ts'
import type { Clock } from '../ports/clock.ts'
import { blockingRestore } from '../restore/journal.ts'
import { closeCall, addCallPaths, openCall } from '../sessions/tool-calls.ts'
import { requireDiskSpace } from '../workspaces/disk-space.ts'
import { requireFolder } from '../workspaces/presence.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import { clearDraft, newDraftName, recordDraft, removeStaleDraft } from './drafts.ts'
import { prepareEdit, prepareWrite } from './edit-tools.ts'
import { prepareCreateDir, prepareRemoveDir } from './folder-tools.ts'
import { prepareCopy, prepareDelete, prepareMove } from './move-tools.ts'
import type { PreparedUse, ToolContext } from './prepared-use.ts'
import { readFile } from './read-tool.ts'
import { runFor, type ToolRun } from './tool-runs.ts'

type Request = Omit<Params<'tools.use'>, 'workspace'>
type WriteUse = Exclude<ToolUse, { readonly tool: 'read_file' }>

/** How long a use waits for others in the same folder, ms. */
const LOCK_WAIT_MS = 10_000
const LOCK_RETRY_MS = 10

export interface ToolEnvironment {
  readonly recorder: OpenWorkspace
  readonly clock: Clock
  readonly dataDir: string
}

export async function useTool(place: ToolEnvironment, request: Request): Promise<ToolAnswer> {
  const { recorder } = place
  const { use } = request
  requireFolder(recorder, 'nothing was changed.')
  if (use.tool === 'read_file') return readFile(recorder, use)
  return recorder.lock.run(async () => {
    const turn = await acquireToolLock(place)
    try {
      return await change(recorder, request, use)
    } finally {
      turn.release()
    }
  })
}

/** [GW-2] The lock of this folder's tools, waited for without keeping the thread. */
async function acquireToolLock({ recorder, clock, dataDir }: ToolEnvironment): Promise<HeldLock> {
  const file = join(dataDir, 'w', recorder.workspace.id, 'tools.db')
  for (let waited = 0; waited < LOCK_WAIT_MS; waited += LOCK_RETRY_MS) {
    const held = acquireLock(file, 0)
    if (held) return held
    await new Promise<void>((resolve) => {
      clock.setTimeout(resolve, LOCK_RETRY_MS)
    })
  }
  throw refusal('busy', 'Another program changes files here at the moment. Nothing was changed; try again.')
}

async function change(recorder: OpenWorkspace, request: Request, use: WriteUse): Promise<ToolAnswer> {
  const { store } = recorder
  requireDiskSpace(recorder.space)
  if (blockingRestore(store))
    throw refusal(
      'restore-open',
      'A restore of this folder is not finished. Nothing was changed; a person has to finish or undo it first.'
    )
  removeStaleDraft(recorder)
  const ground: ToolContext = { root: recorder.root, boundaries: recorder.boundaries, store }
  const first = prepare(ground, use)
  if (!first.apply) return toAnswer(use, first, null, [])
  // Everything as it is now is recorded, whoever made it so; what could not be kept is refused before a run is opened.
  await checkNamedPaths(recorder, first.changes)
  requireStored(recorder, first.destroys)
  const working = await runFor(recorder, {
    client: request.client,
    tool: use.tool,
    call: request.call ?? null,
    run: request.run ?? null,
    paths: first.changes,
    title: titleOf(use, first)
  })
  const prepared = isBasisCurrent(ground, first) ? first : prepare(ground, use)
  if (!prepared.apply) return toAnswer(use, prepared, null, [])
  const changed = prepared.changes.filter((path) => !isRecorded(ground, path))
  await checkNamedPaths(recorder, changed)
  requireStored(recorder, prepared.destroys)
  const draft = newDraftName()
  const call = openUse(recorder, request, use, prepared, working, draft)
  let failed = true
  try {
    prepared.apply(draft)
    failed = false
  } finally {
    await checkNamedPaths(recorder, prepared.changes)
    write(store.db, () => {
      if (!working.hookCall) closeCall(store, call, failed ? 'failed' : 'done', recorder.now())
      clearDraft(store)
      store.db.prepare('UPDATE run SET last_event_at = ? WHERE id = ?').run(recorder.now(), working.run)
      bumpRev(store.db)
    })
    recorder.notifyChanged(['runs', 'checkpoints', 'status', 'sessions'])
  }
  return toAnswer(use, prepared, working.run, editsOf(recorder, call, working, prepared))
}

/** The log now holds the very bytes it was worked out from, and nobody has touched the file. */
function isBasisCurrent({ root, store }: ToolContext, { basis }: PreparedUse): boolean {
  const version = basis ? store.records.head(basis.path)?.version : null
  if (!basis || version == null || store.records.version(version).hash !== basis.hash) return false
  const now = createWorkspaceFs(root).stat(basis.path)
  return now !== null && sameSignature(now, basis.signature)
}

function prepare(ground: ToolContext, use: WriteUse): PreparedUse {
  switch (use.tool) {
    case 'write_file':
      return prepareWrite(ground, use)
    case 'edit_file':
      return prepareEdit(ground, use)
    case 'copy_file':
      return prepareCopy(ground, use)
    case 'move_file':
      return prepareMove(ground, use)
    case 'delete_file':
      return prepareDelete(ground, use)
    case 'create_dir':
      return prepareCreateDir(ground, use)
    case 'remove_dir':
      return prepareRemoveDir(ground, use)
  }
}

const USE_LABELS = {
  write_file: 'Write',
  edit_file: 'Edit',
  copy_file: 'Copy',
  move_file: 'Move',
  delete_file: 'Delete',
  create_dir: 'Make folder',
  remove_dir: 'Remove folder'
} as const

function titleOf(use: WriteUse, { answer }: PreparedUse): string {
  return `${USE_LABELS[use.tool]} ${answer.paths.join(' to ')}`
}

/** The window in which what changes is this use's own (GW-4). Returns the call. */
function openUse(
  recorder: OpenWorkspace,
  request: Request,
  use: WriteUse,
  prepared: PreparedUse,
  working: ToolRun,
  draft: string
): string {
  const { store } = recorder
  return write(store.db, () => {
    recordDraft(store, working.run, draft, prepared.changes)
    if (working.hookCall) {
      addCallPaths(store, working.hookCall.id, prepared.changes)
      return working.hookCall.id
    }
    const { client, call } = request
    return openCall(
      store,
      {
        session: client.session,
        run: working.run,
        turn: working.turn,
        agentCall: call ?? null,
        subagent: null,
        name: use.tool,
        summary: prepared.answer.paths.join(' → '),
        paths: prepared.changes,
        writeScope: 'paths',
        complete: true
      },
      recorder.now()
    )
  })
}

/** Nothing has touched it since it was last recorded. */
function isRecorded({ root, store }: ToolContext, path: string): boolean {
  const known = store.records.head(path)?.signature ?? null
  const now = createWorkspaceFs(root).stat(path)
  if (!known || !now) return known === now
  return now.kind === 'dir' ? known.kind === 'dir' && known.mode === now.mode : sameSignature(known, now)
}

/** Our own tools take nothing away that could not be brought back. */
function requireStored(recorder: OpenWorkspace, paths: readonly string[]): void {
  const { records } = recorder.store
  recordFolders(recorder, paths)
  for (const path of paths) {
    const id = records.head(path)?.version
    const version = id == null ? null : records.version(id)
    const kept = version !== null && version.notStored === null && ['file', 'symlink', 'dir'].includes(version.kind)
    if (!kept)
      throw refusal(
        'not-kept',
        `${path} is not kept in the history, so this could not be taken back. Nothing was changed.`,
        {
          path,
          why: version?.notStored ?? version?.kind ?? 'unknown'
        }
      )
  }
}

/** The Edits made by this use; of a call that a hook told of only those of the paths it changed just now. */
function editsOf({ store }: OpenWorkspace, call: string, working: ToolRun, prepared: PreparedUse): number[] {
  const rows = store.db
    .prepare('SELECT edit FROM edit_call WHERE run = ? AND call = ? ORDER BY edit')
    .all(working.run, call) as { edit: number }[]
  const heads = new Set(prepared.changes.map((path) => store.records.head(path)?.edit))
  return rows.map((row) => row.edit).filter((edit) => heads.has(edit))
}

function toAnswer(use: WriteUse, { answer }: PreparedUse, run: string | null, edits: readonly number[]): ToolAnswer {
  return { secret: false, ...answer, tool: use.tool, noop: run === null, run, edits }
}
