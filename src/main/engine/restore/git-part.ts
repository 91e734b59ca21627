/**
 * [GT-7] Git's own state in a restore: off unless the request selects items. They are journaled with the files, written
 * after them, and undone with them. A `.git` that is to go goes before them, because its folder may have to go, too.
 */
import { DriftlineError, toErrorShape } from '../../../contract/errors.ts'
import type { GitItemOutcome, GitPlanItem } from '../../../contract/git.ts'
import type { PlanWarning, RestoreRequest } from '../../../contract/restore.ts'
import { log } from '../ports/log.ts'
import type { Store } from '../store/open-store.ts'
import { findRestoreGit, type GitWork } from '../store/restore-git.ts'
import { resolveTarget } from '../store/targets.ts'
import type { ApplyPoint } from './apply-state.ts'
import type { RequestInput } from './inputs/request-input.ts'
import type { GitDifferences, RestoreContext } from './restore-context.ts'

export interface GitPlan {
  readonly items: readonly GitPlanItem[]
  /** Of the chosen items, in the order in which they are written. */
  readonly work: readonly GitWork[]
  readonly warnings: readonly PlanWarning[]
}

/** Throws UnknownTarget for a selected item that does not differ. */
export function planGit(context: RestoreContext, request: RestoreRequest, input: RequestInput): GitPlan {
  const { items, work, warnings } = itemsOf(context, request, input)
  const waits = work.length > 0 && context.gitPart.isAtWork(work)
  return { items, work, warnings: waits ? [...warnings, { code: 'git-at-work' }] : warnings }
}

function itemsOf(context: RestoreContext, request: RestoreRequest, input: RequestInput): GitPlan {
  const { store, gitPart } = context
  if (request.kind !== 'restore' && request.kind !== 'undo-run') {
    const work = repeatedWork(store, input)
    return input.undoes === null
      ? { items: work.map(repeatedItem), work, warnings: [] }
      : undoingWork(context, gitPart.reverse(work))
  }
  const selected = request.git ?? []
  // A person who names paths, or parts of a run, means these, unless items of git are named, too.
  if (selected.length === 0 && namesFiles(request)) return NOTHING
  const { found: differences, failure, converted } = differencesOf(context, request)
  const names = namesOf(differences.map(({ shown }) => shown))
  const wanted = selected.flatMap((name) => [...(names.get(name) ?? [])])
  if (selected.includes('lost')) wanted.push(...differences.flatMap(({ shown }) => (shown.lost ? [shown] : [])))
  const chosen = new Set(wanted.flatMap(({ item, needs = [] }) => [item, ...needs]))
  const isChosen = ({ item }: Shown): boolean => chosen.has(item)
  const unknown = selected.find((wanted) => wanted !== 'lost' && !names.has(wanted))
  // What is selected may be in what could not be read.
  const isMissing = unknown !== undefined || (selected.length > 0 && differences.length === 0)
  if (isMissing && failure !== null) throw failure
  if (unknown !== undefined)
    throw new DriftlineError(
      'UnknownTarget',
      request.kind === 'restore'
        ? `Git’s “${unknown}” is as it was at this target, or is not kept. Nothing was written.`
        : `This run did not lose git’s “${unknown}”, or it is not kept. Nothing was written. \`driftline restore ${request.run}:start --git ${unknown}\` restores what only changed.`,
      { item: unknown }
    )
  return {
    items: differences.map(({ shown }) => ({ ...shown, chosen: isChosen(shown) })),
    work: gitPart.inOrder(differences.filter(({ shown }) => isChosen(shown)).map(({ work }) => work)),
    warnings: [
      ...(failure === null ? [] : [{ code: 'git-not-read' } as const]),
      ...(converted.length === 0 ? [] : [{ code: 'git-converted', items: converted } as const])
    ]
  }
}

type Shown = Omit<GitPlanItem, 'chosen'>

/** By their names, and before these by what selects them; a name in the repository of a subfolder has that before it. */
function namesOf(items: readonly Shown[]): ReadonlyMap<string, readonly Shown[]> {
  const byName = Map.groupBy(items, ({ name, folder }) => (folder === undefined ? name : `${folder}:${name}`))
  return new Map([...byName, ...Map.groupBy(items, ({ item }) => item)])
}

const NOTHING: GitPlan = { items: [], work: [], warnings: [] }

function namesFiles(request: RequestWithGit): boolean {
  return request.kind === 'restore'
    ? request.paths !== undefined
    : [request.paths, request.hunks, request.lines, request.edits].some((part) => part !== undefined)
}

type RequestWithGit = Extract<RestoreRequest, { kind: 'restore' | 'undo-run' }>

/**
 * From the target of a restore; of the undo of a run what git lost in it and still lacks. What cannot be read must not stop a
 * restore of files.
 */
function differencesOf({ gitPart, store, root }: RestoreContext, request: RequestWithGit): GitDifferences {
  const start = resolveTarget(store, request.kind === 'restore' ? request.target : request.run)
  const differences =
    request.kind === 'restore'
      ? gitPart.differencesFrom(start)
      : gitPart.lostBetween(start, resolveTarget(store, `${start.id}:end`))
  if (differences.failure !== null) log.error(root, differences.failure)
  return differences
}

/** An undo writes what is as its restore left it. Items that git changed since, and evicted ones, stay. */
function undoingWork({ gitPart }: RestoreContext, work: readonly GitWork[]): GitPlan {
  const states = gitPart.statesOf(work)
  const ready = work.filter((_, n) => states[n] === 'ready')
  const warnings = (['changed', 'evicted'] as const).flatMap((state) => {
    const items = work.filter((_, n) => states[n] === state).map(({ item }) => item)
    return items.length > 0 ? [{ code: `git-${state}`, items } as const] : []
  })
  return { items: ready.map(repeatedItem), work: ready, warnings }
}

/** Of the restore that is undone, redone or finished. */
function repeatedWork(store: Store, { undoes, finishes }: RequestInput): readonly GitWork[] {
  const row = findRestoreGit(store, undoes ?? finishes ?? '')
  return row?.work ?? []
}

function repeatedItem(work: GitWork): GitPlanItem {
  const { item, kind, name, from, to, folder } = work
  const short = kind === 'stash' ? stashMessage(work) : name.replace(/^refs\/(?:heads\/|tags\/)?/, '')
  const isId = kind !== 'index'
  const place = folder === undefined ? {} : { folder }
  return { item, ...place, kind, name: short, from: isId ? from : '', to: isId ? to : '', lost: false, chosen: true }
}

/** Of the line that the work adds to the reflog of stashes or removes from it: "OLD NEW NAME <MAIL> TIME ZONE\tMESSAGE". */
function stashMessage({ log }: GitWork): string {
  const [from = '', to = ''] = [log?.from, log?.to].map((text) => Buffer.from(text ?? '', 'base64').toString('utf8'))
  const line = (to.length > from.length ? to : from).trimEnd().split('\n').at(-1) ?? ''
  return line.slice(line.indexOf('\t') + 1)
}

/** An operation of git with another index or HEAD than its own would lose changes in the next commit. */
function withoutNeeded({ item }: GitPlanItem): DriftlineError {
  return new DriftlineError('Refused', `It needs ${item}, which was not restored.`, { item })
}

export interface GitResult {
  readonly outcomes: readonly GitItemOutcome[]
  readonly written: readonly GitWork[]
  /** How many failed for good: what they need is kept nowhere. */
  readonly gone: number
}

export type GitWrites = ReturnType<typeof createGitWrites>

/** Writes the items of a plan. One that fails stops no other. `point`: for crash tests, after each. */
export function createGitWrites(
  { gitPart }: Pick<RestoreContext, 'gitPart'>,
  { items, work }: GitPlan,
  point?: (point: ApplyPoint) => void
) {
  const outcomes: GitItemOutcome[] = []
  const written: GitWork[] = []
  let gone = 0
  const write = async (each: GitWork): Promise<void> => {
    const shown = items.find(({ item }) => item === each.item)
    const lacking = outcomes.find(({ item, result }) => result === 'failed' && each.needs?.includes(item))
    const result = await (lacking ? Promise.reject(withoutNeeded(lacking)) : gitPart.write(each)).then(
      () => ({ result: 'done' }) as const,
      (error: unknown) => {
        const { message, data } = toErrorShape(error)
        if (data?.gone === true) gone++
        return { result: 'failed', reason: message } as const
      }
    )
    if (result.result === 'done') written.push(each)
    if (shown) outcomes.push({ ...shown, ...result })
    point?.(`git:${outcomes.length}`)
  }
  const writeAll = async (some: readonly GitWork[]): Promise<void> => {
    for (const each of some) await write(each)
    if (some.length > 0) gitPart.wrote()
  }
  const removes = ({ repository }: GitWork): boolean => repository?.state === null && repository.back === ''
  return {
    beforeFiles: () => writeAll(work.filter(removes)),
    afterFiles: () => writeAll(work.filter((each) => !removes(each))),
    /** Of what was written so far. */
    result: (): GitResult => ({ outcomes, written, gone })
  }
}
