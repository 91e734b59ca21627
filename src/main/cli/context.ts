/**
 * The context of one command: its output, the data folder, the engine and the workspace.
 *
 * The engine is opened on first use, so commands that need no history never read the store.
 */
import type { Client, Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { type OpenedClient, openClient, type Programs } from './open-client.ts'
import type { Output } from './output.ts'
import { realFolder, workspacePath, workspacePaths } from './paths.ts'

/** Everything a command reads from its process. The entry file fills it in; tests pass their own. */
export interface Invocation {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly programs: Programs
  readonly cwd: () => string
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
  'file.cat',
  'file.history',
  'file.blame',
  'search.run',
  'export.run'
])

export interface Context {
  readonly invocation: Invocation
  readonly output: Output
  readonly dataDir: string
  /** True when `--data` or DRIFTLINE_DATA named the data folder. */
  readonly dataDirGiven: boolean
  /** True when `--folder` was given. */
  readonly folderGiven: boolean
  readonly now: () => number
  /** The folder of `--folder`, else the current one, as the system names it. */
  folder(): string
  /** Opens the engine on first use and returns the same client afterwards. */
  open(): Promise<OpenedClient>
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  client(): Promise<Client>
  /** The recorded folder that holds `folder()`. Fails with NotAWorkspace. */
  workspace(): Promise<Workspace>
  /** PATH arguments as root-relative paths; undefined = everything. Fails with PathOutsideWorkspace. */
  paths(typed: readonly string[]): Promise<readonly string[] | undefined>
  path(typed: string): Promise<string>
  /** Disconnects from the host, or closes the engine of this process. */
  close(): Promise<void>
  /**
   * Opens the engine in this process after the host exited. The host is not tried again: while it shuts down it still
   * accepts connections.
   */
  openInProcess(): Promise<void>
}

export function createContext(options: {
  readonly invocation: Invocation
  readonly output: Output
  readonly dataDir: string
  readonly dataDirGiven: boolean
  readonly folder: string | undefined
}): Context {
  const { invocation } = options
  let opened: Promise<OpenedClient> | null = null
  let inProcess: Promise<void> | null = null
  let workspace: Promise<Workspace> | null = null
  const context: Context = {
    invocation,
    output: options.output,
    dataDir: options.dataDir,
    dataDirGiven: options.dataDirGiven,
    folderGiven: options.folder !== undefined,
    now: () => Date.now(),
    folder: () => realFolder(options.folder ?? currentFolder(invocation)),
    open: () => {
      opened ??= openClient(options.dataDir, invocation.programs)
      return opened
    },
    client: async () => (await context.open()).client,
    call: async (method, params) => {
      try {
        return await (await context.client()).call(method, params)
      } catch (error) {
        const hostExited = error instanceof DriftlineError && error.code === 'Disconnected'
        if (!hostExited || !READS.has(method)) throw error
        await context.openInProcess()
        return await (await context.client()).call(method, params)
      }
    },
    workspace: () => {
      workspace ??= context.call('workspaces.find', { folder: context.folder() }).then((result) => result.workspace)
      return workspace
    },
    paths: async (typed) => {
      if (typed.length === 0) return undefined
      return workspacePaths((await context.workspace()).root, realCurrentFolder(invocation), typed)
    },
    path: async (typed) => workspacePath((await context.workspace()).root, realCurrentFolder(invocation), typed),
    openInProcess: () => {
      // Several calls may fail at the same moment; they share one engine.
      inProcess ??= context.close().then(() => {
        opened = openClient(options.dataDir, invocation.programs, 'in-process')
      })
      return inProcess
    },
    close: async () => {
      const opening = opened
      opened = null
      inProcess = null
      if (!opening) return
      let client: OpenedClient
      try {
        client = await opening
      } catch {
        // It failed to open, and the caller of open() already has the error.
        return
      }
      await client.close()
    }
  }
  return context
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

function realCurrentFolder(invocation: Invocation): string {
  return realFolder(currentFolder(invocation))
}
