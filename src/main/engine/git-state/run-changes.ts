/** [GT-5] What a run did to the repository: the refs and stashes at its start compared with those at its end. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { GitChange, OperationKind } from '../../../contract/git.ts'
import { type GitStore, gitStatesOfRun, lastGitState } from '../store/git-store.ts'
import type { GitKeeper } from './git-keeper.ts'
import { ownFolder } from './git-work.ts'
import { isDamaged } from './lost.ts'
import { oncePerRepository } from './once-per-repository.ts'
import { momentOf, operationsAt } from './operations.ts'
import type { Stash } from './parse-refs.ts'
import { countCommits, type ReadableRepository } from './read-git.ts'
import { type RefState, refsAt } from './refs.ts'
import type { Repositories } from './repositories.ts'
import { differingFiles } from './repository-files.ts'
import { folderOf } from './repository-names.ts'

/** Refs whose commits are counted: each costs up to two processes of git. */
const MOST_COUNTED = 20

/** Until now, while the run is live. Empty without a repository. */
export async function changesOfRun(repositories: Repositories, run: string): Promise<GitChange[]> {
  const changes: { readonly keeper: GitKeeper; readonly change: GitChange }[] = []
  let failure: unknown = null
  for (const keeper of repositories.all()) {
    const found = await changesIn(keeper, run).catch((error: unknown) => {
      if (!isDamaged(error)) throw error
      failure = error
      return []
    })
    changes.push(...found.map((change) => ({ keeper, change })))
  }
  // [GT-8] Damage costs one repository; where nothing else is known, it is said.
  if (failure !== null && changes.length === 0) throw failure
  const once = oncePerRepository(changes, ({ change }) => JSON.stringify(change))
  return once.map(({ keeper, change }) => ({ ...change, ...folderOf(keeper.path) }))
}

async function changesIn(keeper: GitKeeper, run: string): Promise<GitChange[]> {
  const store = keeper.store()
  const states = store && gitStatesOfRun(store, run)
  if (!store || !states) return []
  const end = states.last ?? lastGitState(store)?.id ?? states.first
  // Most runs leave the repository as it is.
  if (end === states.first) return []
  const before = refsAt(store, states.first)
  const after = refsAt(store, end)
  if (before.present && !after.present) return [{ kind: 'repository-deleted' }]
  const gitDir = keeper.gitDir()
  const changes: GitChange[] = before.present || !after.present ? [] : [{ kind: 'repository-created' }]
  const refs = [...new Set([...before.refs.keys(), ...after.refs.keys()])].filter((ref) =>
    /^refs\/(?:heads|tags)\//.test(ref)
  )
  const changed = refs.filter((ref) => before.refs.get(ref) !== after.refs.get(ref)).sort()
  for (const [n, ref] of changed.entries()) {
    const repository = gitDir !== null && n < MOST_COUNTED ? { gitDir, kept: keeper.kept } : null
    changes.push(await changeOf(repository, ref, before, after))
  }
  return [
    ...changes,
    ...stashChanges(before.stashes, after.stashes),
    ...operationChanges(store, ownFolder(keeper), states.first, end),
    ...fileChanges(store, states.first, end)
  ]
}

function operationChanges(store: GitStore, own: string, first: number, last: number): GitChange[] {
  const [before, after] = [kindsAt(store, own, first), kindsAt(store, own, last)]
  return [
    ...before.filter((name) => !after.includes(name)).map((name) => ({ kind: 'operation-ended', name }) as const),
    ...after.filter((name) => !before.includes(name)).map((name) => ({ kind: 'operation-begun', name }) as const)
  ]
}

/** None where refs are in tables that cannot be read: everything else is said. */
function kindsAt(store: GitStore, own: string, state: number): readonly OperationKind[] {
  try {
    return operationsAt(store, own, momentOf(store, state))
  } catch (error) {
    if (error instanceof DriftlineError && error.code === 'Refused') return []
    throw error
  }
}

function fileChanges(store: GitStore, first: number, last: number): GitChange[] {
  return differingFiles(store, first, last).map(({ path, from, to }) => {
    const kind = to.hash === '' ? 'file-created' : from.hash === '' ? 'file-deleted' : 'file-changed'
    return { kind, name: path }
  })
}

async function changeOf(
  repository: ReadableRepository | null,
  ref: string,
  before: RefState,
  after: RefState
): Promise<GitChange> {
  const [from, to] = [before.refs.get(ref), after.refs.get(ref)]
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const what = ref.startsWith('refs/tags/') ? 'tag' : 'branch'
  const count = async (commit: string, without: readonly string[]): Promise<number | null> =>
    repository && countCommits(repository, commit, without)
  // What other refs had at the end of the run: later ones must not change the sentence.
  if (from !== undefined && to === undefined)
    return {
      kind: `${what}-deleted`,
      name,
      commits: await count(from, [...new Set(after.refs.values())].slice(0, 1000))
    }
  if (from === undefined || to === undefined) return { kind: `${what}-created`, name, commits: null }
  if (what === 'tag') return { kind: 'tag-moved', name, commits: null }
  const [lost, gained] = [await count(from, [to]), await count(to, [from])]
  if (lost === 0) return { kind: 'branch-forward', name, commits: gained }
  if (gained === 0) return { kind: 'branch-back', name, commits: lost }
  return { kind: 'branch-rewritten', name, commits: lost }
}

function stashChanges(before: readonly Stash[], after: readonly Stash[]): GitChange[] {
  const without = (some: readonly Stash[], others: readonly Stash[]): number =>
    some.filter(({ commit }) => !others.some((stash) => stash.commit === commit)).length
  const [dropped, added] = [without(before, after), without(after, before)]
  return [
    ...(dropped > 0 ? [{ kind: 'stashes-dropped', commits: dropped } as const] : []),
    ...(added > 0 ? [{ kind: 'stashes-added', commits: added } as const] : [])
  ]
}
