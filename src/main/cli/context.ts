/** What a command works with: output, the data folder, the engine when it is first needed, and the workspace. */
import type { Client, Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { type Opened, openClient, type Programs } from './connect.ts'
import type { Output } from './output.ts'
import { realFolder, workspacePath, workspacePaths } from './paths.ts'

/** What surrounds a call; the entry file takes it from the process. */
export interface Surroundings {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly programs: Programs
  readonly cwd: () => string
}

/** Calls that change nothing, so that a host which leaves in the middle of one only means asking again. */
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
  readonly surroundings: Surroundings
  readonly output: Output
  readonly dataDir: string
  /** True when `--data` or DRIFTLINE_DATA named the data folder. */
  readonly dataDirGiven: boolean
  /** True when `--folder` was given. */
  readonly folderGiven: boolean
  readonly now: () => number
  /** The folder of `--folder`, else the current one, as the system names it. */
  folder(): string
  /** The engine, opened on first use. */
  open(): Promise<Opened>
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  client(): Promise<Client>
  /** The recorded folder that holds `folder()`. Fails with NotAWorkspace. */
  workspace(): Promise<Workspace>
  /** PATH arguments as root-relative paths; undefined = everything. Fails with PathOutsideWorkspace. */
  paths(typed: readonly string[]): Promise<readonly string[] | undefined>
  path(typed: string): Promise<string>
  /** Lets go of the engine. */
  close(): Promise<void>
  /** After a host went away: the engine in this process from now on. A dying host still lets callers in, so it is not asked again. */
  openHere(): Promise<void>
}

export function createContext(options: {
  readonly surroundings: Surroundings
  readonly output: Output
  readonly dataDir: string
  readonly dataDirGiven: boolean
  readonly folder: string | undefined
}): Context {
  const { surroundings } = options
  let opened: Promise<Opened> | null = null
  let here: Promise<void> | null = null
  let found: Promise<Workspace> | null = null
  const context: Context = {
    surroundings,
    output: options.output,
    dataDir: options.dataDir,
    dataDirGiven: options.dataDirGiven,
    folderGiven: options.folder !== undefined,
    now: () => Date.now(),
    folder: () => realFolder(options.folder ?? currentFolder(surroundings)),
    open: () => {
      opened ??= openClient(options.dataDir, surroundings.programs)
      return opened
    },
    client: async () => (await context.open()).client,
    call: async (method, params) => {
      try {
        return await (await context.client()).call(method, params)
      } catch (error) {
        const left = error instanceof DriftlineError && error.code === 'Disconnected'
        if (!left || !READS.has(method)) throw error
        await context.openHere()
        return await (await context.client()).call(method, params)
      }
    },
    workspace: () => {
      found ??= context.call('workspaces.find', { folder: context.folder() }).then((result) => result.workspace)
      return found
    },
    paths: async (typed) => {
      if (typed.length === 0) return undefined
      return workspacePaths((await context.workspace()).root, currentReal(surroundings), typed)
    },
    path: async (typed) => workspacePath((await context.workspace()).root, currentReal(surroundings), typed),
    openHere: () => {
      // Several calls that were left at once go on in one engine.
      here ??= context.close().then(() => {
        opened = openClient(options.dataDir, surroundings.programs, 'here')
      })
      return here
    },
    close: async () => {
      const last = opened
      opened = null
      here = null
      if (!last) return
      let open: Opened
      try {
        open = await last
      } catch {
        // It never opened, and whoever asked for it has the error.
        return
      }
      await open.close()
    }
  }
  return context
}

/** The current folder. Fails with FolderMissing when it was deleted under the shell. */
export function currentFolder(surroundings: Pick<Surroundings, 'cwd'>): string {
  try {
    return surroundings.cwd()
  } catch {
    // process.cwd() fails only when the folder is gone or may not be read.
    throw new DriftlineError(
      'FolderMissing',
      'The current folder no longer exists. Nothing was changed; go to another folder or pass --folder DIR.'
    )
  }
}

function currentReal(surroundings: Surroundings): string {
  return realFolder(currentFolder(surroundings))
}
