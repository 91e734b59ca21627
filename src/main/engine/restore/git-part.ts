/**
 * [GT-7] Git's own state in a restore: off unless the request selects items. They are journaled with the files, written
 * after them, and undone with them.
 */
import { DriftlineError, toErrorShape } from '../../../contract/errors.ts'
import type { GitItemOutcome, GitPlanItem } from '../../../contract/git.ts'
import type { PlanWarning, RestoreRequest } from '../../../contract/restore.ts'
import { log } from '../ports/log.ts'
import type { Store } from '../store/open-store.ts'
import { findRestoreGit, type GitWork } from '../store/restore-git.ts'
import { resolveTarget, type Target } from '../store/targets.ts'
import type { ApplyPoint } from './apply-state.ts'
import type { RequestInput } from './inputs/request-input.ts'
import type { GitDifference, RestoreContext } from './restore-context.ts'

export interface GitPlan {
  readonly items: readonly GitPlanItem[]
  /** Of the chosen items, in the order in which they are written. */
  readonly work: readonly GitWork[]
  readonly warnings: readonly PlanWarning[]
}

/** Throws UnknownTarget for a selected item that does not differ. */
export function planGit(context: RestoreContext, request: RestoreRequest, input: RequestInput): GitPlan {
  const { items, work, warnings } = itemsOf(context, request, input)
  const waits = work.length > 0 && context.gitPart.isAtWork()
  return { items, work, warnings: waits ? [...warnings, { code: 'git-at-work' }] : warnings }
}

function itemsOf(context: RestoreContext, request: RestoreRequest, input: RequestInput): GitPlan {
  const { store, gitPart } = context
  if (request.kind !== 'restore') {
    const work = repeatedWork(store, input)
    const ordered = input.undoes === null ? work : gitPart.reverse(work)
    return { items: ordered.map(repeatedItem), work: ordered, warnings: [] }
  }
  const selected = request.git ?? []
  // A person who names paths means these, unless items of git are named, too.
  if (request.paths !== undefined && selected.length === 0) return NOTHING
  const differences = differencesFrom(context, resolveTarget(store, request.target), selected.length > 0)
  if (differences === null) return { ...NOTHING, warnings: [{ code: 'git-not-read' }] }
  const isChosen = ({ item, name, lost }: Omit<GitPlanItem, 'chosen'>): boolean =>
    selected.includes(item) || selected.includes(name) || (lost && selected.includes('lost'))
  const unknown = selected.find(
    (wanted) =>
      wanted !== 'lost' && !differences.some(({ shown: { item, name } }) => item === wanted || name === wanted)
  )
  if (unknown !== undefined)
    throw new DriftlineError(
      'UnknownTarget',
      `Git’s “${unknown}” is as it was at this target, or is not kept. Nothing was written.`,
      { item: unknown }
    )
  return {
    items: differences.map(({ shown }) => ({ ...shown, chosen: isChosen(shown) })),
    work: gitPart.inOrder(differences.filter(({ shown }) => isChosen(shown)).map(({ work }) => work)),
    warnings: []
  }
}

const NOTHING: GitPlan = { items: [], work: [], warnings: [] }

/** Null if it cannot be read: that must not stop a restore of files. Throws it if items of git are `needed`. */
function differencesFrom(
  { gitPart, root }: RestoreContext,
  target: Target,
  needed: boolean
): readonly GitDifference[] | null {
  try {
    return gitPart.differencesFrom(target)
  } catch (error) {
    if (needed) throw error
    log.error(root, error)
    return null
  }
}

/** Of the restore that is undone, redone or finished. */
function repeatedWork(store: Store, { undoes, finishes }: RequestInput): readonly GitWork[] {
  const row = findRestoreGit(store, undoes ?? finishes ?? '')
  return row?.work ?? []
}

function repeatedItem(work: GitWork): GitPlanItem {
  const { item, kind, name, from, to } = work
  const short = kind === 'stash' ? stashMessage(work) : name.replace(/^refs\/(?:heads\/|tags\/)?/, '')
  const isId = kind !== 'index'
  return { item, kind, name: short, from: isId ? from : '', to: isId ? to : '', lost: false, chosen: true }
}

/** Of the line that the work adds to the reflog of stashes or removes from it: "OLD NEW NAME <MAIL> TIME ZONE\tMESSAGE". */
function stashMessage({ log }: GitWork): string {
  const [from = '', to = ''] = [log?.from, log?.to].map((text) => Buffer.from(text ?? '', 'base64').toString('utf8'))
  const line = (to.length > from.length ? to : from).trimEnd().split('\n').at(-1) ?? ''
  return line.slice(line.indexOf('\t') + 1)
}

export interface GitResult {
  readonly outcomes: readonly GitItemOutcome[]
  readonly written: readonly GitWork[]
}

/** Writes the items; one that fails stops no other. `point`: for crash tests, after each. */
export async function writeGit(
  { gitPart }: Pick<RestoreContext, 'gitPart'>,
  { items, work }: GitPlan,
  point?: (point: ApplyPoint) => void
): Promise<GitResult> {
  const outcomes: GitItemOutcome[] = []
  const written: GitWork[] = []
  for (const [n, each] of work.entries()) {
    const shown = items.find(({ item }) => item === each.item)
    const result = await gitPart.write(each).then(
      () => ({ result: 'done' }) as const,
      (error: unknown) => ({ result: 'failed', reason: toErrorShape(error).message }) as const
    )
    if (result.result === 'done') written.push(each)
    if (shown) outcomes.push({ ...shown, ...result })
    point?.(`git:${n + 1}`)
  }
  if (work.length > 0) gitPart.wrote()
  return { outcomes, written }
}
