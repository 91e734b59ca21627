/**
 * One use of a file tool: worked out, recorded before and after as a call in a run, and written in between. What is
 * refused before anything is written leaves no trace. Uses in one folder take turns, whichever process they come from.
 */
import { join } from 'node:path'
import type { Params } from '../../../contract/api.ts'
import type { ToolAnswer, ToolUse } from '../../../contract/tools.ts'
import { type HeldLock, holdLock } from '../db/host-lock.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { checkNamed, noteFolders } from '../drift/named-paths.ts'
import { createInside } from '../files/inside.ts'
import { refusal } from '../files/named-path.ts'
import { sameSignature } from '../files/signature.ts'
import type { Clock } from '../ports/clock.ts'
import { openRestore } from '../restore/journal.ts'
import { closeCall, namePaths, openCall } from '../sessions/tool-calls.ts'
import { refuseWithoutRoom } from '../workspaces/disk-space.ts'
import { refuseWhileMissing } from '../workspaces/presence.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import { forgetDraft, newDraft, noteDraft, sweepDraft } from './drafts.ts'
import { prepareEdit, prepareWrite } from './edit-tools.ts'
import { prepareCreateDir, prepareRemoveDir } from './folder-tools.ts'
import { prepareCopy, prepareDelete, prepareMove } from './move-tools.ts'
import type { Prepared, ToolGround } from './prepared.ts'
import { readFile } from './read-tool.ts'
import { runFor, type ToolRun } from './tool-runs.ts'

type Request = Omit<Params<'tools.use'>, 'workspace'>
type Writing = Exclude<ToolUse, { readonly tool: 'read_file' }>

/** How long a use waits for others in the same folder, ms. */
const TURN_MS = 10_000
const LOOK_AGAIN_MS = 10

export interface ToolPlace {
  readonly recorder: OpenWorkspace
  readonly clock: Clock
  readonly dataDir: string
}

export async function useTool(place: ToolPlace, request: Request): Promise<ToolAnswer> {
  const { recorder } = place
  const { use } = request
  refuseWhileMissing(recorder, 'nothing was changed.')
  if (use.tool === 'read_file') return readFile(recorder, use)
  return recorder.lock.run(async () => {
    const turn = await itsTurn(place)
    try {
      return await change(recorder, request, use)
    } finally {
      turn.release()
    }
  })
}

/** [GW-2] The lock of this folder's tools, waited for without keeping the thread. */
async function itsTurn({ recorder, clock, dataDir }: ToolPlace): Promise<HeldLock> {
  const file = join(dataDir, 'w', recorder.workspace.id, 'tools.db')
  for (let waited = 0; waited < TURN_MS; waited += LOOK_AGAIN_MS) {
    const held = holdLock(file, 0)
    if (held) return held
    await new Promise<void>((resolve) => {
      clock.setTimeout(resolve, LOOK_AGAIN_MS)
    })
  }
  throw refusal('busy', 'Another program changes files here at the moment. Nothing was changed; try again.')
}

async function change(recorder: OpenWorkspace, request: Request, use: Writing): Promise<ToolAnswer> {
  const { store } = recorder
  refuseWithoutRoom(recorder.space)
  if (openRestore(store))
    throw refusal(
      'restore-open',
      'A restore of this folder is not finished. Nothing was changed; a person has to finish or undo it first.'
    )
  sweepDraft(recorder)
  const ground: ToolGround = { root: recorder.root, boundaries: recorder.boundaries, store }
  const first = prepare(ground, use)
  if (!first.act) return answered(use, first, null, [])
  // Everything as it is now is recorded, whoever made it so; what could not be kept is refused before a run is opened.
  await checkNamed(recorder, first.changes)
  mustBeKept(recorder, first.loses)
  const working = await runFor(recorder, {
    client: request.client,
    tool: use.tool,
    call: request.call ?? null,
    run: request.run ?? null,
    paths: first.changes,
    title: titleOf(use, first)
  })
  const prepared = isStillSo(ground, first) ? first : prepare(ground, use)
  if (!prepared.act) return answered(use, prepared, null, [])
  const changed = prepared.changes.filter((path) => !isRecorded(ground, path))
  await checkNamed(recorder, changed)
  mustBeKept(recorder, prepared.loses)
  const draft = newDraft()
  const call = begin(recorder, request, use, prepared, working, draft)
  let failed = true
  try {
    prepared.act(draft)
    failed = false
  } finally {
    await checkNamed(recorder, prepared.changes)
    write(store.db, () => {
      if (!working.told) closeCall(store, call, failed ? 'failed' : 'done', recorder.now())
      forgetDraft(store)
      store.db.prepare('UPDATE run SET last_event_at = ? WHERE id = ?').run(recorder.now(), working.run)
      bumpRev(store.db)
    })
    recorder.changed(['runs', 'checkpoints', 'status', 'sessions'])
  }
  return answered(use, prepared, working.run, editsOf(recorder, call, working, prepared))
}

/** The log now holds the very bytes it was worked out from, and nobody has touched the file. */
function isStillSo({ root, store }: ToolGround, { basis }: Prepared): boolean {
  const version = basis ? store.records.head(basis.path)?.version : null
  if (!basis || version == null || store.records.version(version).hash !== basis.hash) return false
  const now = createInside(root).look(basis.path)
  return now !== null && sameSignature(now, basis.signature)
}

function prepare(ground: ToolGround, use: Writing): Prepared {
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

const TITLES = {
  write_file: 'Write',
  edit_file: 'Edit',
  copy_file: 'Copy',
  move_file: 'Move',
  delete_file: 'Delete',
  create_dir: 'Make folder',
  remove_dir: 'Remove folder'
} as const

function titleOf(use: Writing, { answer }: Prepared): string {
  return `${TITLES[use.tool]} ${answer.paths.join(' to ')}`
}

/** The window in which what changes is this use's own (GW-4). Returns the call. */
function begin(
  recorder: OpenWorkspace,
  request: Request,
  use: Writing,
  prepared: Prepared,
  working: ToolRun,
  draft: string
): string {
  const { store } = recorder
  return write(store.db, () => {
    noteDraft(store, working.run, draft, prepared.changes)
    if (working.told) {
      namePaths(store, working.told.id, prepared.changes)
      return working.told.id
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
        reach: 'paths',
        complete: true
      },
      recorder.now()
    )
  })
}

/** Nothing has touched it since it was last recorded. */
function isRecorded({ root, store }: ToolGround, path: string): boolean {
  const known = store.records.head(path)?.signature ?? null
  const now = createInside(root).look(path)
  if (!known || !now) return known === now
  return now.kind === 'dir' ? known.kind === 'dir' && known.mode === now.mode : sameSignature(known, now)
}

/** Our own tools take nothing away that could not be brought back. */
function mustBeKept(recorder: OpenWorkspace, paths: readonly string[]): void {
  const { records } = recorder.store
  noteFolders(recorder, paths)
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
function editsOf({ store }: OpenWorkspace, call: string, working: ToolRun, prepared: Prepared): number[] {
  const rows = store.db
    .prepare('SELECT edit FROM edit_call WHERE run = ? AND call = ? ORDER BY edit')
    .all(working.run, call) as { edit: number }[]
  const heads = new Set(prepared.changes.map((path) => store.records.head(path)?.edit))
  return rows.map((row) => row.edit).filter((edit) => heads.has(edit))
}

function answered(use: Writing, { answer }: Prepared, run: string | null, edits: readonly number[]): ToolAnswer {
  return { secret: false, ...answer, tool: use.tool, noop: run === null, run, edits }
}
