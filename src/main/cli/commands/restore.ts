/** `driftline restore`, `undo-run`, `undo`, `redo`, `recover`: what writes recorded versions to the folder. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { LineSelection } from '../../../contract/params.ts'
import type { QueuedRestore } from '../../../contract/restore.ts'
import { heldText, queuedTitle } from '../../../contract/words/queued-restores.ts'
import { choose, usage } from '../arguments.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { APPLY_OPTIONS, planAndApply, RESOLUTION_OPTIONS, RESOLUTION_USAGE } from '../plan-and-apply.ts'

export const restore = command({
  name: 'restore',
  usage: [
    'TARGET [PATH…] [--mode files|conversation|both] [--outside keep|replace] [--git ITEM]… [--dry-run] [--yes] [--plan HASH] [--when-turn-ends] [--while-live]'
  ],
  summary: 'restore files, conversation or both to a target',
  options: {
    mode: {
      type: 'string',
      value: 'MODE',
      choices: ['files', 'conversation', 'both'],
      help: 'files, conversation or both (default: both if the target has a conversation and no PATH is given, else files)'
    },
    outside: {
      type: 'string',
      value: 'HOW',
      choices: ['keep', 'replace'],
      help: 'keep (default) or replace files that were changed outside after the target'
    },
    git: {
      type: 'string',
      multiple: true,
      value: 'ITEM',
      help: 'also restore this git item, as --dry-run names it; `lost` for all that git lost'
    },
    ...APPLY_OPTIONS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals: [target = '', ...paths] }) => {
    const { mode, outside, git } = values
    const request = { kind: 'restore', target, paths: await context.paths(paths), outside, mode, git } as const
    return planAndApply(context, request, values)
  }
})

export const undoRun = command({
  name: 'undo-run',
  usage: [
    'RUN [PATH…] [--hunk PATH:N]… [--lines PATH:FROM-TO]… [--edits FROM-TO] [--git ITEM]… [--on-conflict fail|keep|replace|merge] [--dry-run] [--yes] [--plan HASH] [--when-turn-ends] [--while-live]'
  ],
  summary: 'undo the edits of one run and no others',
  options: {
    hunk: {
      type: 'string',
      multiple: true,
      value: 'PATH:N',
      help: 'only this hunk, counted from 1 in `diff RUN PATH`'
    },
    lines: {
      type: 'string',
      multiple: true,
      value: 'PATH:FROM-TO',
      help: 'only what changed in these lines (counted from 1 in the version after the run), with what they replaced'
    },
    edits: {
      type: 'string',
      value: 'FROM-TO',
      help: 'only the edits with these numbers, as `bisect` names them; --hunk then counts in their diff'
    },
    git: {
      type: 'string',
      multiple: true,
      value: 'ITEM',
      help: 'also restore this git item that the run lost, as --dry-run names it; `lost` for all of them'
    },
    'on-conflict': {
      type: 'string',
      value: 'HOW',
      choices: ['fail', 'keep', 'replace', 'merge'],
      help: 'fail (default), keep, replace or merge where later edits changed the same lines'
    },
    ...APPLY_OPTIONS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals: [run = '', ...typed] }) => {
    const paths = await context.paths(typed)
    const hunks = values.hunk && (await hunksOf(context, values.hunk))
    const lines = values.lines && (await linesOf(context, values.lines))
    const edits = values.edits === undefined ? undefined : editsOf(values.edits)
    const onConflict = values['on-conflict'] ?? 'fail'
    const { git } = values
    return planAndApply(context, { kind: 'undo-run', run, onConflict, paths, hunks, lines, edits, git }, values)
  }
})

/** Hunk numbers by path. `PATH:N` is split at the last colon, because a path may contain colons. */
async function hunksOf(context: Context, values: readonly string[]): Promise<Record<string, number[]>> {
  const hunks: Record<string, number[]> = {}
  for (const text of values) {
    const [, name, number] = /^(.+):([1-9]\d{0,5})$/s.exec(text) ?? []
    if (!name || !number)
      throw new DriftlineError('Usage', `--hunk takes PATH:N with N from 1, not "${text}". Nothing was changed.`)
    const path = await context.path(name)
    hunks[path] = [...(hunks[path] ?? []), Number(number)]
  }
  return hunks
}

/** `FROM-TO`, or one number. */
function editsOf(text: string): { readonly from: number; readonly to: number } {
  const [, from, to = from] = /^([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/.exec(text) ?? []
  if (!from || Number(to) < Number(from))
    throw new DriftlineError('Usage', `--edits takes FROM-TO, not "${text}". Nothing was changed.`)
  return { from: Number(from), to: Number(to) }
}

/** Line selections by path: `PATH:FROM-TO`, or `PATH:N` for a single line. */
async function linesOf(context: Context, values: readonly string[]): Promise<Record<string, LineSelection[]>> {
  const lines: Record<string, LineSelection[]> = {}
  for (const text of values) {
    const [, name, first, last = first] = /^(.+):([1-9]\d{0,6})(?:-([1-9]\d{0,6}))?$/s.exec(text) ?? []
    if (!name || Number(last) < Number(first))
      throw new DriftlineError(
        'Usage',
        `--lines takes PATH:FROM-TO with lines counted from 1, not "${text}". Nothing was changed.`
      )
    const path = await context.path(name)
    const selection = { side: 'after', from: Number(first) - 1, to: Number(last) } as const
    lines[path] = [...(lines[path] ?? []), selection]
  }
  return lines
}

/** `undo` undoes the newest restore that is not undone; `redo` redoes it. */
const reverting = (name: 'undo' | 'redo', summary: string) =>
  command({
    name,
    usage: [RESOLUTION_USAGE],
    summary,
    options: RESOLUTION_OPTIONS,
    run: (context, { values }) => planAndApply(context, { kind: name }, values, values['on-conflict'])
  })

export const undo = reverting('undo', 'undo the newest restore that is not undone yet')
export const redo = reverting('redo', 'redo the restore that was undone last')

export const recover = command({
  name: 'recover',
  usage: [`finish|undo ${RESOLUTION_USAGE}`],
  summary: 'finish or undo an interrupted restore',
  options: RESOLUTION_OPTIONS,
  positionals: [1, 1],
  run: async (context, { values, positionals }) => {
    const how = choose('`driftline recover`', ['finish', 'undo'], positionals[0])
    return planAndApply(context, { kind: 'recover', how }, values, values['on-conflict'])
  }
})

export const queued = command({
  name: 'queued',
  usage: ['', 'cancel ID'],
  summary: 'list the restores that wait for the end of a turn, or cancel one',
  positionals: [0, 2],
  run: async (context, { positionals: [verb, id] }) => {
    const { ask, output } = context
    if (verb !== undefined) {
      choose('`driftline queued`', ['cancel'], verb)
      if (id === undefined) throw usage(queued, '`driftline queued cancel` needs the ID of a restore.')
      await ask('restore.unqueue', { queued: id })
      return output.print({ queued: id }, [`Cancelled ${id}. Nothing was written.`])
    }
    const { queuedRestores } = await ask('workspace.status', { check: true })
    const lines = queuedRestores.length === 0 ? ['No restore is waiting.'] : queuedRestores.flatMap(queuedLines)
    return output.print({ queued: queuedRestores }, lines)
  }
})

/** A restore that waits, with what a person can do. */
export function queuedLines(waiting: QueuedRestore): string[] {
  const { id, held } = waiting
  const title = escapeLine(queuedTitle(waiting))
  const why = held ? `was not applied. ${escapeLine(heldText(waiting))} Restore it again, or cancel it.` : WAITS
  return [`${id}  ${title} ${why}`, `  driftline queued cancel ${id}`]
}

const WAITS = 'waits until no run is live.'
