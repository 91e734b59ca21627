/** The real git in tests. */
import { execFileSync, spawnSync } from 'node:child_process'

/** Its environment. `vitest.config.ts` keeps the person's own configuration out of all tests. */
export const GIT_ENV: NodeJS.ProcessEnv = {
  ...process.env,
  // Without git's samples of hooks, two thirds of the files of an empty repository.
  GIT_TEMPLATE_DIR: '',
  // Messages of commits stay as they are proposed.
  GIT_EDITOR: 'true',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b'
}

/** Runs it in a folder, with folders allowed as remotes of submodules, and returns what it prints. Throws if it fails. */
export function runGit(cwd: string, ...args: readonly string[]): string {
  const options = { cwd, env: GIT_ENV, encoding: 'utf8', stdio: 'pipe' } as const
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], options).trim()
}

/** The same of a command that may fail, as a merge with conflicts does. */
export function tryGit(
  cwd: string,
  ...args: readonly string[]
): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, env: GIT_ENV, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}
