/**
 * The context of one command: its output, the data folder, the engine and the workspace.
 *
 * The engine is opened on first use, so commands that need no history never read the store.
 */
import { resolve } from 'node:path'
import type { Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { noAnswerError } from '../host/hold-data-dir.ts'
import { type OpenedClient, openClient, type Patience, type Programs, silentRecorder } from './open-client.ts'
import type { Output } from './output.ts'
import { realFolder, workspacePath, workspacePaths } from './paths.ts'

/** Everything a command reads from its process. The entry file fills it in; tests pass their own. */
export interface Invocation {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly programs: Programs
  readonly cwd: () => string
  /** PATIENCE by default. */
  readonly patience?: Patience
}

/** Methods that only read. When the host exits during such a call, repeating it is safe. */
const READS: ReadonlySet<Method> = new Set<Method>([
  'workspaces.list',
  'workspaces.find',
  'workspace.status',
  'timeline.list',
  'entry.show',
  'diff.patch',
  'restore.plan',
  'checkpoint.list',
  'drift.list',
  'events.list',
  'file.cat',
  'file.history',
  'file.blame',
  'search.run',
  'export.run'
])

/** Parameters as a command has them: an absent one may also be undefined, which no frame carries. */
export type Given<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Record<never, never> extends Pick<T, K> ? Given<T[K]> | undefined : Given<T[K]> }
    : T

/** Methods on one workspace. */
type WorkspaceMethod = { [M in Method]: Params<M> extends { workspace: string } ? M : never }[Method]

export type Context = ReturnType<typeof createContext>

export function createContext(options: {
  readonly invocation: Invocation
  readonly output: Output
  readonly dataDir: string
  /** True when `--data` or DRIFTLINE_DATA named the data folder. */
  readonly dataDirGiven: boolean
  /** The value of `--folder`. */
  readonly folderOption: string | undefined
}) {
  const { invocation, dataDir } = options
  const connection = createConnection(dataDir, invocation)
  const { call } = connection
  let found: Promise<Workspace> | null = null

  /** The folder of `--folder`, else the current one, as the system names it. */
  const folder = (): string => realFolder(options.folderOption ?? currentFolder(invocation))

  /** The recorded folder that holds `folder()`. Fails with NotAWorkspace. */
  const workspace = (): Promise<Workspace> => {
    found ??= call('workspaces.find', { folder: folder() }).then((result) => result.workspace)
    return found
  }

  return {
    ...options,
    ...connection,
    folder,
    workspace,
    /** Calls a method on the recorded folder. */
    ask: async <M extends WorkspaceMethod>(
      method: M,
      params: Given<Omit<Params<M>, 'workspace'>>
    ): Promise<Result<M>> =>
      call(method, { ...params, workspace: (await workspace()).id } as unknown as Given<Params<M>>),
    /** PATH arguments as root-relative paths; undefined = everything. Fails with PathOutsideWorkspace. */
    paths: async (typed: readonly string[]): Promise<readonly string[] | undefined> =>
      typed.length === 0
        ? undefined
        : workspacePaths((await workspace()).root, realFolder(currentFolder(invocation)), typed),
    path: async (typed: string): Promise<string> =>
      workspacePath((await workspace()).root, realFolder(currentFolder(invocation)), typed)
  }
}

/** The engine of a command: that of the recorder, or one in this process. Opened on first use, and one at a time. */
function createConnection(dataDir: string, { programs, patience }: Invocation) {
  let opened: Promise<OpenedClient> | null = null
  let reconnecting: Promise<void> | null = null

  /** Opens the engine on first use and returns the same client afterwards. */
  const open = (): Promise<OpenedClient> => {
    opened ??= openClient(dataDir, programs, patience)
    return opened
  }

  /** Disconnects from the host, or closes the engine of this process. */
  const close = async (): Promise<void> => {
    const opening = opened
    opened = null
    // If it failed to open, the caller of open() already has the error.
    const client = await opening?.catch(() => null)
    await client?.close()
  }

  /** Connects anew after the recorder ended: to its successor, which may have to be started. */
  const reconnect = (): Promise<void> => {
    // Several calls may fail at the same moment; they share one connection.
    reconnecting ??= close().then(() => {
      reconnecting = null
    })
    return reconnecting
  }

  /** Lets other commands use the history while this one waits, if it is its own recorder. */
  const release = async (): Promise<void> => {
    if ((await opened)?.where === 'in-process') await close()
  }

  const call = async <M extends Method>(method: M, params: Given<Params<M>>): Promise<Result<M>> => {
    try {
      return await (await open()).client.call(method, params as Params<M>)
    } catch (error) {
      const hostExited = error instanceof DriftlineError && error.code === 'Disconnected'
      if (!hostExited) throw error
      const silent = await silentRecorder(dataDir, patience)
      if (silent) throw noAnswerError(silent)
      if (!READS.has(method)) throw error
      await reconnect()
      return await (await open()).client.call(method, params as Params<M>)
    }
  }

  return { open, close, reconnect, release, call }
}

/** A folder argument as the system names it; it is relative to the current folder. */
export function folderArgument({ invocation }: Pick<Context, 'invocation'>, typed: string): string {
  return realFolder(resolve(currentFolder(invocation), typed))
}

/** The current folder. Fails with FolderMissing when it was deleted while the shell was in it. */
export function currentFolder(invocation: Pick<Invocation, 'cwd'>): string {
  try {
    return invocation.cwd()
  } catch {
    // process.cwd() fails with ENOENT (the folder was deleted) or EACCES.
    throw new DriftlineError(
      'FolderMissing',
      'The current folder no longer exists. Nothing was changed. Change to another folder or pass --folder DIR.'
    )
  }
}
