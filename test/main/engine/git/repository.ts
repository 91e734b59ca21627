/** Temporary folders and repositories made by the real git. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface TempRepository {
  readonly path: string
  /** Runs git in the folder (or one below it), returns what it prints. */
  git(args: readonly string[], options?: { input?: string; in?: string }): string
  put(path: string, text?: string | Buffer): void
  remove(): void
}

/** A folder; call `git(['init'])` for a repository. Nothing of the person's own git configuration applies. */
export function tempRepository(): TempRepository {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-git-')))
  const env = {
    ...process.env,
    HOME: path,
    XDG_CONFIG_HOME: path,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TEMPLATE_DIR: '',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com'
  }
  return {
    path,
    git: (args, options = {}) =>
      execFileSync('git', ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always', ...args], {
        cwd: join(path, options.in ?? ''),
        env,
        encoding: 'utf8',
        input: options.input ?? '',
        stdio: ['pipe', 'pipe', 'ignore']
      }),
    put(file, text = file) {
      mkdirSync(dirname(join(path, file)), { recursive: true })
      writeFileSync(join(path, file), text)
    },
    remove: () => rmSync(path, { recursive: true, force: true })
  }
}
