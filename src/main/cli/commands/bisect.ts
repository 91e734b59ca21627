/** `driftline bisect`: the edit after which a command fails, found without touching the folder. */
import { constants } from 'node:os'
import type { BisectProgress, BisectResult, ChangePart, WrittenPosition } from '../../../contract/bisect.ts'
import {
  bisectProgressText,
  bisectStateText,
  probeText,
  SEARCH_IN_COPIES,
  skippedText
} from '../../../contract/words/bisect.ts'
import { shellWord } from '../../../contract/words/shell.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { ownProcess } from '../../engine/ports/processes.ts'
import { usage } from '../arguments.ts'
import { removePosition } from '../bisect/position-copy.ts'
import { chooseMethod, type ViewMethod } from '../bisect/position-view.ts'
import { type ProbeContext, removeNewest } from '../bisect/probe.ts'
import { type BisectAnswer, runBisect } from '../bisect/run-bisect.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { onEndSignal } from '../end-signals.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { startFolder } from './at.ts'
import { paintPatch } from './files.ts'

const REFUSED = 3
const UNCLEAR = 4
const MOST_JOBS = 64

export const bisect = command({
  name: 'bisect',
  onlyHere: true,
  usage: ['[--good TARGET] [--bad TARGET] [--hunks] [--jobs N] [--progress json] -- CMD…'],
  summary: 'find the edit after which a command fails',
  options: {
    good: {
      type: 'string',
      value: 'TARGET',
      help: 'where CMD passes (default: where it is recorded to have passed last, else the start)'
    },
    bad: { type: 'string', value: 'TARGET', help: 'where CMD fails (default: the present)' },
    hunks: { type: 'boolean', help: 'then find the smallest part of that edit that makes CMD fail' },
    jobs: { type: 'string', short: 'j', value: 'N', help: 'probes at a time (default 1)' },
    progress: {
      type: 'string',
      value: 'HOW',
      choices: ['text', 'json'],
      help: 'json: each step as a line of JSON on stderr'
    }
  },
  takesCommand: true,
  run: async (context, { values, rest }) => {
    const [program, ...args] = rest ?? []
    if (program === undefined) throw usage(bisect, 'Missing command after `--`.')
    const jobs = Number(values.jobs ?? 1)
    if (!Number.isInteger(jobs) || jobs < 1 || jobs > MOST_JOBS)
      throw usage(bisect, `--jobs takes a number from 1 to ${MOST_JOBS}.`)
    const stop = stopOnSignal()
    let probing: ProbeContext | null = null
    try {
      const ends = { ...(values.good && { good: values.good }), ...(values.bad && { bad: values.bad }) }
      // As a recorded result names it: of `sh -c TEXT` the text.
      const isShell = program === 'sh' && args[0] === '-c' && args.length === 2
      const text = isShell ? String(args[1]) : [program, ...args].map(shellWord).join(' ')
      const candidates = await context.ask('bisect.candidates', { ...ends, command: clip(text, 60_000) })
      probing = await probeContext(context, [program, ...args])
      const between = { good: candidates.good, bad: candidates.bad }
      const answer = await runBisect({
        context: probing,
        candidates,
        jobs,
        hunks: values.hunks ?? false,
        signal: stop.signal,
        partsBetween: async (from, to) => (await context.ask('bisect.parts', { between, from, to })).parts,
        onProgress: (progress) => showProgress(context, progress, values.progress === 'json')
      })
      context.output.progress('')
      if (answer === null) return stop.exitCode()
      return await report(context, answer)
    } finally {
      if (probing !== null) await removeNewest(probing)
      stop.release()
    }
  }
})

/** Ctrl-C ends the probes, whose positions are deleted before the command ends. */
function stopOnSignal() {
  const controller = new AbortController()
  let received: NodeJS.Signals | null = null
  const release = onEndSignal((signal) => {
    received ??= signal
    controller.abort()
  })
  return {
    signal: controller.signal,
    exitCode: (): number => 128 + (received ? (constants.signals[received] ?? 0) : 0),
    release
  }
}

async function probeContext(context: Context, command: readonly [string, ...string[]]): Promise<ProbeContext> {
  const { root } = await context.workspace()
  const { DRIFTLINE_RUN: _run, ...env } = context.invocation.env
  const owner = ownProcess()
  return {
    root,
    inside: startFolder(context, root),
    method: await methodFor(context, root),
    command,
    env,
    changing: new Set(),
    newest: { position: null },
    write: (request) => context.ask('position.write', { ...request, owner }),
    changesSince: (since) => context.ask('position.changes', { since })
  }
}

/** Tried once, on the present. */
async function methodFor(context: Context, root: string): Promise<ViewMethod> {
  const { head } = await context.ask('position.changes', { since: 0 })
  const present: WrittenPosition = await context.ask('position.write', { target: `seq:${head}`, owner: ownProcess() })
  try {
    return await chooseMethod(present.folder, root)
  } finally {
    await removePosition(present)
  }
}

function showProgress({ output }: Context, progress: BisectProgress, asJson: boolean): void {
  const line = bisectProgressText(progress)
  if (asJson) output.note(JSON.stringify(progress))
  else if (output.isTerminal) output.progress(line)
  else output.note(progress.probe ? `${probeText(progress.probe)}. ${line}` : line)
}

async function report(context: Context, answer: BisectAnswer): Promise<number> {
  const { output } = context
  const { edits, hunks, isMinimal, ...facts } = answer
  const change = edits && (await context.ask('bisect.change', { edits })).change
  const culprit = change && { ...change, ...(hunks ? { hunks } : {}) }
  const result: BisectResult = { ...facts, culprit }
  output.document(result)
  if (!output.json) {
    output.lines([escapeText(bisectStateText(result))])
    if (culprit) await describe(context, culprit, isMinimal)
    for (const skipped of facts.skipped.slice(0, 20)) output.lines([escapeLine(`  ${skippedText(skipped)}`)])
    if (!culprit && facts.output !== '') output.lines(['', escapeText(facts.output.trimEnd())])
    if (facts.method === 'copy') output.note(SEARCH_IN_COPIES)
  }
  if (facts.state === 'found') return 0
  return facts.state === 'unclear' ? UNCLEAR : REFUSED
}

async function describe(
  context: Context,
  culprit: NonNullable<BisectResult['culprit']>,
  isMinimal: boolean
): Promise<void> {
  const { output } = context
  const { paint } = output
  const who = culprit.agent ?? (culprit.origin === 'restore' ? 'a restore' : 'outside of any run')
  output.lines([
    '',
    `${paint('bold', `seq:${culprit.seq}`)}  ${formatTime(culprit.at)}  ${escapeLine(who)}${culprit.toolCall ? `  ${escapeLine(culprit.toolCall.name)}` : ''}  ${culprit.paths.map(escapeLine).join(', ')}`,
    ...(culprit.prompt ? [`  Prompt: ${escapeLine(clip(culprit.prompt, 200))}`] : []),
    ...(culprit.run ? [`  Run:    ${culprit.run}`] : []),
    ...(culprit.hunks
      ? [
          `  ${isMinimal ? 'Only these changes matter' : 'At most these changes matter'}: ${culprit.hunks.map(partText).join(', ')}`
        ]
      : []),
    ''
  ])
  const patch = await context.ask('diff.patch', {
    target: `seq:${culprit.from - 1}`,
    to: `seq:${culprit.seq}`,
    paths: culprit.paths,
    use: 'reading'
  })
  output.write(output.isTerminal ? paintPatch(patch.patch, paint) : patch.patch)
  output.lines(['', 'Undo this change:', ...undoCommands(culprit).map((line) => `  ${line}`)])
}

function partText({ path, n }: ChangePart): string {
  return escapeLine(n === 0 ? path : `${path}:${n}`)
}

/** The commands that undo the change, and no other. */
function undoCommands(culprit: NonNullable<BisectResult['culprit']>): string[] {
  const { run, drift, from, seq, hunks, paths } = culprit
  if (run !== null) {
    const edits = from === seq ? `${seq}` : `${from}-${seq}`
    const parts = (hunks ?? []).flatMap(({ path, n }) => (n === 0 ? [] : ['--hunk', shellWord(`${path}:${n}`)]))
    const whole = (hunks ?? []).flatMap(({ path, n }) => (n === 0 ? [shellWord(path)] : []))
    const only = parts.length > 0 && whole.length > 0 ? [] : [...whole, ...parts]
    return [['driftline undo-run', run, '--edits', edits, ...only].join(' ')]
  }
  const named = paths.map(shellWord).join(' ')
  if (drift !== null) return [`driftline drift restore ${drift} ${named}`]
  return [`driftline restore seq:${from - 1} ${named}`]
}
