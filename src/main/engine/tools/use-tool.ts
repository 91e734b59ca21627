/**
 * One use of a file tool. The order makes every change undoable and attributed to a run:
 *
 * 1. prepare (nothing changes; a refusal here leaves no trace);
 * 2. record the affected paths as they are, and require that the log has the content to be replaced;
 * 3. find or open the run; prepare again if the file changed meanwhile, because opening a run takes time;
 * 4. open the call, apply the change, record the paths again, close the call.
 *
 * Uses in one workspace take turns, in whichever process they run.
 */
import type { ToolAnswer, ToolUse } from '../../../contract/tools.ts'
import { refusedWhileStoppedText } from '../../../contract/words/brake.ts'
import { checkNamedPaths, recordFolders } from '../drift/named-paths.ts'
import { requireDiskSpace } from '../files/disk-space.ts'
import { refusal } from '../files/named-path.ts'
import { sameSignature } from '../files/signature.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import type { Clock } from '../ports/clock.ts'
import { editsOfCall } from '../store/edit-calls.ts'
import { bumpRev } from '../store/meta.ts'
import { blockingRestore } from '../store/restores.ts'
import { touchRun } from '../store/runs.ts'
import { transact } from '../store/sql.ts'
import { addCallPaths, closeCall, openCall } from '../store/tool-calls.ts'
import { clearDraft, newDraftName, recordDraft, removeStaleDraft } from './drafts.ts'
import { prepareEdit, prepareWrite } from './edit-tools.ts'
import { prepareCreateDir, prepareRemoveDir } from './folder-tools.ts'
import { prepareCopy, prepareDelete, prepareMove } from './move-tools.ts'
import type { PreparedUse, ToolContext, UseOf } from './prepared-use.ts'
import { readFile } from './read-tool.ts'
import { runFor, stopOf, type ToolRequest, type ToolRun, type ToolWorkspace } from './tool-runs.ts'

type WriteUse = Exclude<ToolUse, { readonly tool: 'read_file' }>

/** How long a use waits for others in the same workspace, ms. */
const LOCK_WAIT_MS = 10_000
const LOCK_RETRY_MS = 10

interface ToolEnvironment {
  readonly workspace: ToolWorkspace
  readonly clock: Clock
  /** [GW-2] The lock of this workspace's tools, shared by all processes; null while another process holds it. */
  acquireLock(): { release(): void } | null
}

export async function useTool(environment: ToolEnvironment, request: ToolRequest): Promise<ToolAnswer> {
  const { workspace } = environment
  const { use } = request
  if (use.tool === 'read_file') return { ...toAnswer(use, readFile(workspace, use), null, []), noop: false }
  return workspace.lock.run(async () => {
    const lock = await waitForLock(environment)
    try {
      return await change(workspace, request, use)
    } finally {
      lock.release()
    }
  })
}

/** Waits for the tools' lock without blocking the thread. */
async function waitForLock({ acquireLock, clock }: ToolEnvironment): Promise<{ release(): void }> {
  for (let waited = 0; waited < LOCK_WAIT_MS; waited += LOCK_RETRY_MS) {
    const held = acquireLock()
    if (held) return held
    await new Promise<void>((resolve) => {
      clock.setTimeout(resolve, LOCK_RETRY_MS)
    })
  }
  throw refusal('busy', 'Another tool is changing files in this folder. Nothing was changed; try again.')
}

async function change(workspace: ToolWorkspace, request: ToolRequest, use: WriteUse): Promise<ToolAnswer> {
  const { store } = workspace
  requireDiskSpace(workspace.space, 'Nothing was changed.')
  if (blockingRestore(store))
    throw refusal(
      'restore-open',
      'A restore of this folder is unfinished. Nothing was changed; a person has to finish or undo it first.'
    )
  removeStaleDraft(workspace)
  const first = toolOf(use).prepareUse(workspace, use)
  if (!first.apply) return toAnswer(use, first.answer, null, [])
  const stop = stopOf(workspace, request, first.changes)
  if (stop) throw refusal('stopped', refusedWhileStoppedText(stop, stop.state === 'ended'))
  // Records the paths as they are, whoever changed them. What could not be undone is refused before a run is opened.
  await checkNamedPaths(workspace, first.changes)
  requireStored(workspace, first.destroys)
  const title = `${toolOf(use).label} ${first.answer.paths.join(' to ')}`
  const toolRun = await runFor(workspace, request, first.changes, title)
  const prepared = isBasisCurrent(workspace, first) ? first : toolOf(use).prepareUse(workspace, use)
  if (!prepared.apply) return toAnswer(use, prepared.answer, null, [])
  const changed = prepared.changes.filter((path) => !isRecorded(workspace, path))
  await checkNamedPaths(workspace, changed)
  requireStored(workspace, prepared.destroys)
  const draft = newDraftName()
  const call = openUse(workspace, request, prepared, toolRun, draft)
  let failed = true
  try {
    await prepared.apply(draft)
    failed = false
  } finally {
    await checkNamedPaths(workspace, prepared.changes)
    transact(store, (tx) => {
      if (!toolRun.hookCall) closeCall(tx, call, failed ? 'failed' : 'done', workspace.now())
      clearDraft(tx)
      touchRun(tx, toolRun.run, workspace.now())
      bumpRev(tx)
    })
    workspace.notifyChanged(['runs', 'checkpoints', 'status', 'sessions'])
  }
  return toAnswer(use, prepared.answer, toolRun.run, editsOf(workspace, call, toolRun, prepared))
}

/** The recorded head is the version that the use was prepared from, and the file has not changed since. */
function isBasisCurrent({ root, store }: ToolContext, { basis }: PreparedUse): boolean {
  const version = basis ? store.records.head(basis.path)?.version : null
  if (!basis || version == null || store.records.version(version).hash !== basis.hash) return false
  const now = createWorkspaceFs(root).stat(basis.path)
  return now !== null && sameSignature(now, basis.signature)
}

interface Tool<Use> {
  /** Begins the title of a run that starts with this use. */
  readonly label: string
  prepareUse(context: ToolContext, use: Use): PreparedUse
}

const TOOLS: { readonly [Name in WriteUse['tool']]: Tool<UseOf<Name>> } = {
  write_file: { label: 'Write', prepareUse: prepareWrite },
  edit_file: { label: 'Edit', prepareUse: prepareEdit },
  copy_file: { label: 'Copy', prepareUse: prepareCopy },
  move_file: { label: 'Move', prepareUse: prepareMove },
  delete_file: { label: 'Delete', prepareUse: prepareDelete },
  create_dir: { label: 'Create folder', prepareUse: prepareCreateDir },
  remove_dir: { label: 'Remove folder', prepareUse: prepareRemoveDir }
}

function toolOf(use: WriteUse): Tool<WriteUse> {
  return TOOLS[use.tool]
}

/** Opens the call to which the changes are attributed (GW-4), and records the draft. Returns the id of the call. */
function openUse(
  workspace: ToolWorkspace,
  request: ToolRequest,
  prepared: PreparedUse,
  toolRun: ToolRun,
  draft: string
): string {
  return transact(workspace.store, (tx) => {
    recordDraft(tx, toolRun.run, draft, prepared.changes)
    if (toolRun.hookCall) {
      addCallPaths(tx, toolRun.hookCall.id, prepared.changes)
      return toolRun.hookCall.id
    }
    const { client, call, use } = request
    return openCall(
      tx,
      {
        session: client.session,
        run: toolRun.run,
        turn: toolRun.turn,
        agentCall: call ?? null,
        subagent: null,
        name: use.tool,
        summary: prepared.answer.paths.join(' → '),
        paths: prepared.changes,
        writeScope: 'paths',
        complete: true
      },
      workspace.now()
    )
  })
}

/** The path has not changed since it was last recorded. */
function isRecorded({ root, store }: ToolContext, path: string): boolean {
  const known = store.records.head(path)?.signature ?? null
  const now = createWorkspaceFs(root).stat(path)
  if (!known || !now) return known === now
  return now.kind === 'dir' ? known.kind === 'dir' && known.mode === now.mode : sameSignature(known, now)
}

/** The file tools destroy only what can be restored. Throws Refused for any other path. */
function requireStored(workspace: ToolWorkspace, paths: readonly string[]): void {
  const { records } = workspace.store
  recordFolders(workspace, paths)
  for (const path of paths) {
    const id = records.head(path)?.version
    const version = id == null ? null : records.version(id)
    const isStored = version !== null && version.notStored === null && ['file', 'symlink', 'dir'].includes(version.kind)
    if (!isStored)
      throw refusal(
        'not-kept',
        `The content of ${path} is not stored, so this could not be undone. Nothing was changed.`,
        {
          path,
          why: version?.notStored ?? version?.kind ?? 'unknown'
        }
      )
  }
}

/** Seqs of the edits of this use. A call opened by a hook may have others: only heads of the changed paths count. */
function editsOf({ store }: ToolWorkspace, call: string, toolRun: ToolRun, prepared: PreparedUse): number[] {
  const heads = new Set(prepared.changes.map((path) => store.records.head(path)?.edit))
  return editsOfCall(store, toolRun.run, call).filter((edit) => heads.has(edit))
}

function toAnswer({ tool }: ToolUse, answer: PreparedUse['answer'], run: string | null, edits: readonly number[]) {
  return { secret: false, overwritten: false, ...answer, tool, noop: run === null, run, edits }
}
