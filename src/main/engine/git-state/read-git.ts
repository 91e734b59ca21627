/** Runs read-only git commands on a repository, with its kept objects beside its own. */
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'

export interface ReadableRepository {
  /** Its folder with refs and objects. */
  readonly gitDir: string
  /** A folder of objects that git has besides its own; null for none. */
  readonly kept: string | null
}

const LIMIT = 512 * 1024 * 1024

/** What git printed; null when git is missing, or fails, as for an object that is nowhere. */
export async function readGit(
  repository: ReadableRepository,
  args: readonly string[],
  input: string | Uint8Array = ''
): Promise<string | null> {
  return (await readGitBytes(repository, args, input))?.toString('utf8') ?? null
}

/** The same as bytes. */
export function readGitBytes(
  { gitDir, kept }: ReadableRepository,
  args: readonly string[],
  input: string | Uint8Array = ''
): Promise<Buffer | null> {
  const env = {
    ...process.env,
    GIT_DIR: gitDir,
    // Not the one of its config, which may be gone: git would fail.
    GIT_WORK_TREE: gitDir,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_INDEX_FILE: undefined,
    GIT_OBJECT_DIRECTORY: join(gitDir, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: kept === null ? undefined : JSON.stringify(kept)
  }
  return new Promise((resolve) => {
    // Windows looks for programs in the current folder first, so it is none of the repository.
    const { stdin } = execFile(
      'git',
      args,
      { cwd: dirname(process.execPath), env, maxBuffer: LIMIT, windowsHide: true, encoding: 'buffer' },
      (error, stdout) => resolve(error ? null : stdout)
    )
    // Git may end before it has read all: how it ended says why.
    stdin?.on('error', () => {})
    stdin?.end(input)
  })
}

/** Counts the commits that `from` has and `without` do not have; null if git cannot. */
export async function countCommits(
  repository: ReadableRepository,
  from: string,
  without: readonly string[]
): Promise<number | null> {
  const printed = await readGit(repository, ['rev-list', '--count', from, '--not', ...without, '--'])
  return printed === null ? null : Number(printed.trim())
}
