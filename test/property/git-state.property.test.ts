/**
 * Random git histories: whatever git then deletes, every ref and object of each kept position comes back.
 * @module-tag git
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GIT_ENV } from '../support/git-env.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { limitFor, SEED, scaled } from '../support/scale.ts'

const NAMES = ['one', 'two', 'deep/three'] as const
/** Commands that may fail in the state they meet: then git changed nothing. */
const COMMANDS = {
  amend: ['commit', '-q', '--amend', '--allow-empty', '-m', 'amended'],
  back: ['reset', '-q', '--hard', 'HEAD~1'],
  stash: ['stash', 'push', '-q'],
  drop: ['stash', 'drop', '-q'],
  rebase: ['rebase', '-q', 'main'],
  pack: ['repack', '-qad'],
  packRefs: ['pack-refs', '--all'],
  prune: ['gc', '-q', '--prune=now'],
  expire: ['reflog', 'expire', '--expire=now', '--all'],
  tag: ['tag', '-f', 'mark'],
  untag: ['tag', '-d', 'mark'],
  worktree: ['worktree', 'add', '-q', '-f', '--detach', '../side'],
  noWorktree: ['worktree', 'remove', '--force', '../side']
} as const
type Step =
  | { readonly step: keyof typeof COMMANDS | 'commit' | 'edit' | 'keep' }
  | { readonly step: 'switch' | 'delete'; readonly name: (typeof NAMES)[number] }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ step: fc.constantFrom('commit' as const, 'edit' as const, 'keep' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constantFrom('switch' as const, 'delete' as const),
      name: fc.constantFrom(...NAMES)
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({ step: fc.constantFrom(...(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])) })
  }
)

async function play(steps: readonly Step[]): Promise<void> {
  const run = (root: string, args: readonly string[]): string =>
    spawnSync('git', args, { cwd: root, env: GIT_ENV, encoding: 'utf8' }).stdout.trim()
  await using folder = await recordedFolder({ make: (root) => run(root, ['init', '-q', '-b', 'main']) })
  const { engine, workspace, root } = folder
  const git = (...args: readonly string[]): string => run(root, args)
  const edit = (): void => appendFileSync(join(root, 'a.txt'), 'line\n')
  const commit = (): void => {
    edit()
    git('add', '.')
    git('commit', '-qm', 'c')
  }
  const tips = (): string[] => [
    ...git('for-each-ref', '--format=%(objectname)', 'refs/heads', 'refs/tags').split('\n'),
    ...git('stash', 'list', '--format=%H').split('\n')
  ]
  const kept = new Set<string>()
  const keep = async (): Promise<void> => {
    await folder.checkpoint()
    for (const tip of tips().filter(Boolean)) kept.add(tip)
  }
  commit()
  await keep()
  for (const made of steps) {
    if (made.step === 'commit') commit()
    else if (made.step === 'edit') edit()
    else if (made.step === 'keep') await keep()
    else if (made.step === 'switch')
      git('switch', '-q', ...(git('branch', '--list', made.name) ? [] : ['-c']), made.name)
    else if (made.step === 'delete') git('branch', '-D', made.name)
    else git(...COMMANDS[made.step])
  }
  await keep()
  const refs = git('for-each-ref') + git('stash', 'list') + git('rev-parse', 'HEAD') + git('diff', '--cached')

  rmSync(join(root, '.git'), { recursive: true })
  await engine.call('git.restore', { workspace, names: ['.git'], all: false, dryRun: false })
  expect(git('for-each-ref') + git('stash', 'list') + git('rev-parse', 'HEAD') + git('diff', '--cached')).toBe(refs)
  for (const tip of kept) execFileSync('git', ['rev-list', '--objects', '--quiet', tip], { cwd: root, env: GIT_ENV })
  expect(
    execFileSync('git', ['fsck', '--full', '--no-dangling'], { cwd: root, env: GIT_ENV, stdio: 'pipe' }).length
  ).toBe(0)
  expect(existsSync(join(root, '.git/index.lock'))).toBe(false)
}

/** Some twenty processes of git each. */
const RUNS = scaled(6)

test(
  `[GT-1] every ref, object and index of ${RUNS} random git histories comes back`,
  async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), play), {
      numRuns: RUNS,
      seed: SEED
    })
  },
  limitFor(RUNS * 3)
)
