/** The other side of most figures: a git repository outside the folder, as checkpoint tools without their own log use it. */
import { join } from 'node:path'
import { type Timed, timed } from './timed.ts'

export interface ShadowRepository {
  readonly folder: string
  git(...args: string[]): Promise<Timed>
}

/** Creates an empty repository in `folder` with the work tree `tree`. Writes nothing to `tree`. */
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
        // Background garbage collection would slow down the next measurement.
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
