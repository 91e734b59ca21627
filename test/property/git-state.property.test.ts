/**
 * Random git histories, each with restores to random kept positions: whatever git did since, every ref and object of the
 * position comes back, HEAD, index and what git had begun mean what they meant, and the undo of each restore gives the state
 * before. Refs are in files or in tables, and git changes one form into the other meanwhile.
 * @module-tag git
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GIT_ENV } from '../support/git.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { limitFor, SEED, scaled } from '../support/scale.ts'

const NAMES = ['one', 'two', 'deep/three', 'deep'] as const
/** Commands that may fail in the state they meet: then git changed nothing, or left a rebase or merge at work. */
const COMMANDS = {
  amend: ['commit', '-q', '--amend', '--allow-empty', '-m', 'amended'],
  back: ['reset', '-q', '--hard', 'HEAD~1'],
  soft: ['reset', '-q', '--soft', 'HEAD~1'],
  detach: ['switch', '-q', '--detach', 'HEAD~1'],
  stash: ['stash', 'push', '-q'],
  drop: ['stash', 'drop', '-q'],
  clear: ['stash', 'clear'],
  rebase: ['rebase', '-q', 'main'],
  rebaseApply: ['rebase', '-q', '--apply', 'main'],
  merge: ['merge', '-q', '-m', 'merged', 'one'],
  pick: ['cherry-pick', 'one'],
  revert: ['revert', '--no-edit', 'HEAD~1'],
  abortRebase: ['rebase', '--abort'],
  abortMerge: ['merge', '--abort'],
  pack: ['repack', '-qad'],
  packRefs: ['pack-refs', '--all'],
  prune: ['gc', '-q', '--prune=now'],
  expire: ['reflog', 'expire', '--expire=now', '--all'],
  tag: ['tag', '-f', 'mark'],
  note: ['tag', '-f', '-a', '-m', 'annotated', 'noted'],
  untag: ['tag', '-d', 'mark'],
  worktree: ['worktree', 'add', '-q', '-f', '--detach', '../side'],
  noWorktree: ['worktree', 'remove', '--force', '../side'],
  toTables: ['refs', 'migrate', '--ref-format=reftable'],
  toFiles: ['refs', 'migrate', '--ref-format=files'],
  filter: ['filter-branch', '-f', '--msg-filter', 'cat; echo filtered', 'HEAD']
} as const
const OWN = ['commit', 'edit', 'stage', 'keep', 'restore', 'undo', 'delete-all', 'fresh'] as const
type Step =
  | { readonly step: keyof typeof COMMANDS | Exclude<(typeof OWN)[number], 'restore'> }
  | { readonly step: 'switch' | 'delete'; readonly name: (typeof NAMES)[number] }
  /** Which of the kept positions. */
  | { readonly step: 'restore'; readonly at: number }

const only = <T extends string>(...steps: readonly T[]) => fc.record({ step: fc.constantFrom(...steps) })
const frequent = Object.keys(COMMANDS).filter((name) => name !== 'filter') as (keyof typeof COMMANDS)[]
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: only('commit', 'edit', 'stage', 'keep') },
  {
    weight: 4,
    arbitrary: fc.record({ step: fc.constantFrom('switch', 'delete'), name: fc.constantFrom(...NAMES) })
  },
  { weight: 9, arbitrary: only(...frequent) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('restore'), at: fc.nat(20) }) },
  { weight: 1, arbitrary: only('undo', 'delete-all', 'fresh', 'filter') }
)

/** What a repository means at one moment. */
interface Meaning {
  readonly refs: readonly string[]
  readonly stashes: readonly string[]
  readonly head: string
  readonly index: string
  /** How the files differ from it, and what git has begun; '' while HEAD has no commit. */
  readonly status: string
  readonly objects: readonly string[]
}

interface Kept extends Meaning {
  readonly checkpoint: string
}

/** The place of a repository whose git folder is in that of the recorded folder. */
const SUBMODULE = 'lib'

/** Makes the repository, and for a submodule that which it is in. */
function init(root: string, place: string, form: readonly string[]): void {
  const make = (folder: string, ...args: readonly string[]) =>
    execFileSync('git', ['init', '-q', '-b', 'main', ...form, ...args, folder], { env: GIT_ENV })
  if (place !== SUBMODULE) return void make(join(root, place))
  make(root)
  mkdirSync(join(root, '.git/modules'))
  make(join(root, place), '--separate-git-dir', join(root, '.git/modules/lib'))
}

class History {
  readonly kept: Kept[] = []
  readonly folder: RecordedFolder
  /** Of the repository. */
  readonly root: string
  private readonly isSubmodule: boolean
  private n = 0

  constructor(folder: RecordedFolder, place: string) {
    this.folder = folder
    this.isSubmodule = place === SUBMODULE
    this.root = join(folder.root, place)
  }

  git(...args: readonly string[]): string {
    return spawnSync('git', args, { cwd: this.root, env: GIT_ENV, encoding: 'utf8' }).stdout.trim()
  }

  private lines(...args: readonly string[]): string[] {
    return this.git(...args)
      .split('\n')
      .filter(Boolean)
  }

  meaning(): Meaning {
    return {
      refs: this.lines('for-each-ref', '--format=%(objectname) %(refname)').filter((ref) => !/ refs\/stash$/.test(ref)),
      stashes: this.lines('stash', 'list', '--format=%H %gs'),
      head: this.git('symbolic-ref', '-q', 'HEAD') || this.git('rev-parse', 'HEAD'),
      index: this.git('ls-files', '--stage'),
      status: this.git('rev-parse', '-q', '--verify', 'HEAD') && this.git('status'),
      objects: this.lines('rev-list', '--objects', '--no-object-names', '--all', '--reflog', '--indexed-objects')
    }
  }

  async keep(): Promise<void> {
    const checkpoint = await this.folder.checkpoint()
    const meaning = this.meaning()
    // Where there is no repository, a restore leaves what is there now.
    if (meaning.head !== '') this.kept.push({ ...meaning, checkpoint })
  }

  edit(): void {
    appendFileSync(join(this.root, 'a.txt'), `line ${this.n++}\n`)
    writeFileSync(join(this.root, `new-${this.n}.txt`), `${this.n}\n`)
  }

  commit(): void {
    this.edit()
    this.git('add', '.')
    this.git('commit', '-qm', `c${this.n}`)
  }

  /** All that git differs in, back to a kept position; some of them are undone then. */
  async restore(at: number, isUndone = at % 3 === 0): Promise<void> {
    const kept = this.kept[at % this.kept.length] as Kept
    const { engine, workspace } = this.folder
    const before = this.meaning()
    const request = { kind: 'restore', target: kept.checkpoint, outside: 'replace' } as const
    const differing = (await this.folder.plan(request)).git.map(({ item }) => item)
    const result = await this.folder.apply({ ...request, git: differing })
    expect(result.git.filter(({ result: each }) => each !== 'done')).toEqual([])
    const after = this.meaning()
    this.check()
    const has = (all: readonly string[], some: readonly string[]): void => {
      const present = new Set(all)
      expect(some.filter((each) => !present.has(each))).toEqual([])
    }
    has(after.refs, kept.refs)
    has(after.stashes, kept.stashes)
    expect([after.head, after.index]).toEqual([kept.head, kept.index])
    // A branch that was still without a commit stays where it is now, and what differs from it is something else.
    if (kept.status !== '') expect(after.status).toBe(kept.status)
    const missing = spawnSync('git', ['cat-file', '--batch-check'], {
      ...{ cwd: this.root, env: GIT_ENV, encoding: 'utf8' as const },
      input: differing.some((item) => /(?:^|\/)\.git$/.test(item)) ? kept.objects.join('\n') : ''
    }).stdout
    expect(missing).not.toContain('missing')
    if (differing.length === 0 || !isUndone) return
    await engine.call('restore.apply', { workspace, request: { kind: 'undo' } })
    const undone = this.meaning()
    expect({ ...undone, objects: [] }).toEqual({ ...before, objects: [] })
    if (before.head !== '') this.check()
  }

  check(): void {
    const options = { cwd: this.root, env: GIT_ENV, stdio: 'pipe' } as const
    execFileSync('git', ['fsck', '--full', '--strict', '--no-dangling'], options)
  }

  async play(made: Step): Promise<void> {
    const { root } = this
    switch (made.step) {
      case 'commit':
        return this.commit()
      case 'edit':
        return this.edit()
      case 'stage':
        this.edit()
        this.git('add', '.')
        return
      case 'keep':
        return this.keep()
      case 'switch':
        this.git('switch', '-q', ...(this.git('branch', '--list', made.name) ? [] : ['-c']), made.name)
        return
      case 'delete':
        this.git('branch', '-D', made.name)
        return
      case 'restore':
        return this.restore(made.at)
      case 'undo':
        await this.restore(0)
        return
      case 'delete-all':
      case 'fresh':
        // That of a submodule goes with the repository that it is in.
        rmSync(join(this.isSubmodule ? this.folder.root : root, '.git'), { recursive: true, force: true })
        if (made.step === 'fresh') this.git('init', '-q', '-b', 'main')
        return
      default:
        this.git(...COMMANDS[made.step])
    }
  }
}

interface Made {
  /** The folder of the repository in the recorded one. */
  readonly place: string
  /** Git keeps no reflogs but that of stashes: it changes the form of no other repository. */
  readonly isBare: boolean
  readonly steps: readonly Step[]
  readonly last: number
}

async function play(form: readonly string[], { place, isBare, steps, last }: Made): Promise<void> {
  await using folder = await recordedFolder({
    make: (root) => init(root, place, form)
  })
  const history = new History(folder, place)
  if (isBare) history.git('config', 'core.logAllRefUpdates', 'false')
  history.commit()
  await history.keep()
  for (const made of steps) await history.play(made)
  await history.restore(last, true)
}

/** Some forty processes of git each. */
const RUNS = scaled(2)

const made: fc.Arbitrary<Made> = fc.record({
  place: fc.constantFrom('', 'libs/api', SUBMODULE),
  isBare: fc.boolean(),
  steps: fc.array(step, { minLength: 4, maxLength: 20 }),
  last: fc.nat(20)
})

const playAll = (...form: readonly string[]) =>
  fc.assert(
    fc.asyncProperty(made, (each) => play(form, each)),
    { numRuns: RUNS, seed: SEED }
  )

test(
  `[GT-7] ${RUNS} random git histories are restored at random positions: refs, objects, HEAD, index and what git had begun`,
  () => playAll(),
  limitFor(RUNS * 15)
)

test(
  `[GT-11] ${RUNS} random git histories are restored where refs are in tables, and where git changes the form of its refs`,
  { tags: ['reftable'], timeout: limitFor(RUNS * 15) },
  () => playAll('--ref-format=reftable')
)
