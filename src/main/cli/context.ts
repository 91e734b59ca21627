/**
 * The context of one command: its output, the data folder, the engine and the workspace.
 *
 * The engine is opened on first use, so commands that need no history never read the store.
 */
import { isAbsolute, posix, resolve } from 'node:path'
import type { Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { listSome } from '../../contract/words/text.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { createConnection, routeHere, routeToHost } from './connection.ts'
import type { Given, Invocation } from './invocation.ts'
import type { Output } from './output.ts'
import { distinctPaths, realFolder, remotePath, workspacePath } from './paths.ts'

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
  /** The value of `--host`; null for this computer. */
  readonly host: string | null
}) {
  const { invocation, dataDir, host } = options
  const connection = createConnection(host === null ? routeHere(dataDir, invocation) : routeToHost(dataDir, host))
  const { call } = connection
  let found: Promise<Workspace> | null = null

  /** The folder of `--folder`, else the current one, as the system names it; on a host only the first. */
  const folder = (): string => {
    if (options.folderOption !== undefined) return folderArgument(options, options.folderOption)
    if (host === null) return realFolder(currentFolder(invocation))
    throw new DriftlineError('Usage', `Name a folder on ${host}, by its absolute path.`, { host })
  }

  /** The recorded folder that holds `folder()`, on a host without `--folder` the only one. Fails with NotAWorkspace. */
  const workspace = (): Promise<Workspace> => {
    found ??=
      host !== null && options.folderOption === undefined
        ? call('workspaces.list', {}).then(({ workspaces }) => onlyWorkspace(host, workspaces))
        : call('workspaces.find', { folder: folder() }).then((result) => result.workspace)
    return found
  }
  const rootRelative = async (typed: readonly string[]): Promise<readonly string[]> => {
    const { root } = await workspace()
    return host === null
      ? typed.map((path) => workspacePath(root, realFolder(currentFolder(invocation)), path))
      : typed.map((path) => remotePath(root, path))
  }

  return {
    ...options,
    ...connection,
    folder,
    workspace,
    /** From now on the command is about this recorded folder. */
    choose: (chosen: Workspace): void => {
      found = Promise.resolve(chosen)
    },
    /** Calls a method on the recorded folder. */
    ask: async <M extends WorkspaceMethod>(
      method: M,
      params: Given<Omit<Params<M>, 'workspace'>>
    ): Promise<Result<M>> =>
      call(method, { ...params, workspace: (await workspace()).id } as unknown as Given<Params<M>>),
    /** PATH arguments as root-relative paths; undefined = everything. Fails with PathOutsideWorkspace. */
    paths: async (typed: readonly string[]): Promise<readonly string[] | undefined> =>
      typed.length === 0 ? undefined : distinctPaths(await rootRelative(typed)),
    path: async (typed: string): Promise<string> => (await rootRelative([typed]))[0] as string
  }
}

function onlyWorkspace(host: string, workspaces: readonly Workspace[]): Workspace {
  const [only, ...others] = workspaces
  if (only && others.length === 0) return only
  const found = only
    ? `${host} records ${listSome(
        workspaces.map(({ root }) => root),
        5
      )}. Add --folder with one of them.`
    : `${host} records no folder. \`driftline --host ${host} add FOLDER\` adds one.`
  throw new DriftlineError('NotAWorkspace', found, { host, folders: workspaces.map(({ root }) => root) })
}

/** A folder argument as the system names it; it is relative to the current folder, and on a host absolute. */
export function folderArgument({ invocation, host }: Pick<Context, 'invocation' | 'host'>, typed: string): string {
  if (host !== null) return absoluteThere(host, typed)
  return realFolder(isAbsolute(typed) ? typed : resolve(currentFolder(invocation), typed))
}

function absoluteThere(host: string, typed: string): string {
  if (posix.isAbsolute(typed)) return posix.resolve(typed)
  throw new DriftlineError('Usage', `"${typed}" is on ${host}, so name it by its absolute path there.`, { host })
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
