/** The other side of most figures: a git repository beside the folder, as tools without a log of their own use it. */
import { join } from 'node:path'
import { type Timed, timed } from './timed.ts'

export interface ShadowRepository {
  readonly folder: string
  git(...args: string[]): Promise<Timed>
}

/** An empty repository in `folder` whose work tree is `tree`; nothing is written into `tree`. */
export async function shadowRepository(folder: string, tree: string): Promise<ShadowRepository> {
  const gitDir = join(folder, 'shadow.git')
  await timed('git', ['init', '-q', '--bare', gitDir])
  const git = (...args: string[]): Promise<Timed> =>
    timed(
      'git',
      [
        '-c',
        'core.bare=false',
        '-c',
        'user.name=bench',
        '-c',
        'user.email=bench@example.org',
        '-c',
        'commit.gpgsign=false',
        // Collecting garbage in the background would be paid by whoever comes next.
        '-c',
        'gc.auto=0',
        `--git-dir=${gitDir}`,
        `--work-tree=${tree}`,
        ...args
      ],
      tree
    )
  return { folder: gitDir, git }
}
