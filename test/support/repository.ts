/** A recorded folder that holds a git repository. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from './git.ts'
import { putMade } from './made-once.ts'
import { type RecordedFolder, type RecordedOptions, recordedFolder } from './recorded-folder.ts'

export interface Repository extends AsyncDisposable {
  readonly folder: RecordedFolder
  git(...args: readonly string[]): string
  commit(text: string): string
  /** Refs, reflogs, stashes, HEAD, the index and how the files differ from it. */
  describe(): string
}

interface RepositoryOptions extends Pick<RecordedOptions, 'watch' | 'place' | 'dataPlace'> {
  /** Its refs are files, whatever git prefers. */
  readonly refs?: 'files'
}

/** A recorded repository with one commit on main. */
export async function repository(
  { refs, ...options }: RepositoryOptions = {},
  init: readonly string[] = []
): Promise<Repository> {
  const form = refs === 'files' ? ['-c', 'init.defaultRefFormat=files'] : []
  const addCommit = (root: string, text: string): void => {
    appendFileSync(join(root, 'a.txt'), `${text}\n`)
    runGit(root, 'add', 'a.txt')
    runGit(root, 'commit', '-qm', text)
  }
  const folder = await recordedFolder({
    make: (root) =>
      putMade(root, `repository ${form} ${init}`, (place) => {
        runGit(place, ...form, 'init', '-q', '-b', 'main', ...init)
        addCommit(place, 'first')
      }),
    ...options
  })
  const made: Repository = {
    folder,
    git: (...args) => runGit(folder.root, ...args),
    commit: (text) => {
      addCommit(folder.root, text)
      return made.git('rev-parse', 'HEAD')
    },
    describe: () =>
      // Version 2 of the status has the commit of HEAD, and the ids of what the index holds.
      [['for-each-ref'], ['stash', 'list'], ['status', '--porcelain=v2', '--branch']]
        .map((args) => made.git(...args))
        .join('\n'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()
  }
  return made
}
