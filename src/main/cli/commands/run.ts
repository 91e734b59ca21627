/** `driftline run`: records a command as one run. Once the command has started, recording problems never stop it. */
import { randomBytes } from 'node:crypto'
import type { Params, Result, RunResult, RunStart } from '../../../contract/api.ts'
import { DriftlineError, toErrorShape } from '../../../contract/errors.ts'
import { stoppedTitle } from '../../../contract/words/brake.ts'
import { hasLostGit, runGitText } from '../../../contract/words/git.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { BEGUN_INCOMPLETE, diffWarningText, runWarningText } from '../../../contract/words/run-warnings.ts'
import { shellWord } from '../../../contract/words/shell.ts'
import { clip } from '../../../contract/words/text.ts'
import { ownProcess } from '../../engine/ports/processes.ts'
import { usage } from '../arguments.ts'
import { type ChildResult, raiseShield } from '../child.ts'
import { command } from '../command.ts'
import { type Context, currentFolder } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'
import type { Given } from '../invocation.ts'

/** `joined`: the command is nested in a run that already records it. */
type OpenRun = RunStart & { readonly joined: boolean }

export const run = command({
  name: 'run',
  onlyHere: true,
  usage: ['[--title T] -- CMD…'],
  summary: 'record a command as one run; exits with the code of the command',
  options: { title: { type: 'string', value: 'T', mayBeEmpty: true, help: 'title of the run (default: the command)' } },
  takesCommand: true,
  run: async (context, { values, rest }) => {
    const [program, ...args] = rest ?? []
    if (!program) throw usage(run, 'Missing command after `--`.')
    const cwd = currentFolder(context.invocation)
    const typed = [program, ...args].map(shellWord).join(' ')
    const title = values.title ?? clip(typed, 500)
    const workspace = (await context.workspace()).id
    const shield = raiseShield()
    try {
      const begun = await begin(context, workspace, title).catch(notStarted)
      if (begun.incomplete) note(context, BEGUN_INCOMPLETE)
      const brake = await watchBrake(context, workspace, begun.run)
      await context.release()
      shield.onFrozen(brake.end)
      const child = await shield.run({
        command: program,
        args,
        cwd,
        env: childEnvironment(context, begun.run),
        stdoutToStderr: context.output.json
      })
      brake.close()
      if (child.failure) note(context, child.failure)
      await report(context, workspace, begun, { ...child, command: typed })
      return child.exitCode
    } finally {
      shield.release()
    }
  }
})

/** Joins the run that started this process if it is live in the same workspace; else begins a run. */
async function begin(context: Context, workspace: string, title: string): Promise<OpenRun> {
  const outer = context.invocation.env.DRIFTLINE_RUN
  if (outer) {
    const status = await context.call('workspace.status', { workspace, check: false })
    if (status.activeRuns.some((activeRun) => activeRun.run === outer)) {
      return { run: outer, prevCheckpointId: '', workspaceDrifted: false, incomplete: false, joined: true }
    }
  }
  const { pid, start: pidStart } = ownProcess()
  const params = { workspace, run: newRunId(), title, agent: 'command', pid, pidStart }
  return { ...(await callAgain(context, 'run.begin', params)), joined: false }
}

/** An unrecorded command is not what was asked for. */
function notStarted(error: unknown): never {
  if (!(error instanceof DriftlineError)) throw error
  throw new DriftlineError(error.code, `The command was not started. ${error.message}`, error.data)
}

/**
 * Says when the run was stopped (BR-4). Its processes are frozen then, this one is not. Ctrl+C, and a signal that ends
 * it, ends them.
 */
async function watchBrake(context: Context, workspace: string, run: string) {
  // A command that is its own recorder watches nothing, so that its run is never stopped.
  const host = await context.recorder()
  let isStopped = false
  const stop = host?.client.on('brake.stopped', (stopped) => {
    if (stopped.workspace !== workspace || stopped.run !== run) return
    isStopped = true
    note(context, `${stoppedTitle(stopped)}. ${howToDecide(run)}`)
  })
  return {
    /** Called on a signal for the command. */
    end: (): void => {
      if (!isStopped) return
      isStopped = false
      context.call('brake.decide', { workspace, run, decision: 'end' }).catch((error: unknown) => {
        // It was decided meanwhile. A lost recorder has let the command continue.
        const { code, message } = toErrorShape(error)
        if (code !== 'UnknownTarget' && code !== 'Disconnected') note(context, message)
      })
    },
    close: (): void => stop?.()
  }
}

function howToDecide(run: string): string {
  return `\`driftline brake restore ${run}\` restores them and lets it continue, \`driftline brake release ${run}\` lets it continue, Ctrl+C ends it.`
}

function childEnvironment(context: Context, run: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...context.invocation.env, DRIFTLINE_RUN: run }
  if (context.dataDirGiven) env.DRIFTLINE_DATA = context.dataDir
  return env
}

/** A longer command line is not sent: it is none of a test. */
const MAX_COMMAND = 10_000

/** Ends the run and reports its changes. The command has ended, so failures are reported and never thrown. */
async function report(
  context: Context,
  workspace: string,
  begun: OpenRun,
  child: ChildResult & { readonly command: string }
): Promise<void> {
  const { output } = context
  const { run, prevCheckpointId, workspaceDrifted } = begun
  const { exitCode } = child
  // What could not be started says nothing about the tests.
  const command = child.failure || child.command.length > MAX_COMMAND ? {} : { command: child.command }
  const base = { run, prevCheckpointId, checkpointId: '', exitCode, workspaceDrifted, files: [] as RunResult['files'] }
  if (begun.joined) return output.document({ ...base, joined: true })
  let ended: RunResult
  try {
    ended = await callAgain(context, 'run.end', { workspace, run, exitCode, ...command })
  } catch (error) {
    const shape = toErrorShape(error)
    output.document({ ...base, error: shape })
    note(context, `The command ran, but its run couldn’t be closed: ${shape.message}`)
    return
  }
  const warning = diffWarningText(ended.warnings)
  output.document({
    ...base,
    prevCheckpointId: ended.prevCheckpointId,
    checkpointId: ended.checkpointId,
    workspaceDrifted: workspaceDrifted || ended.workspaceDrifted,
    attributed: ended.attributed,
    warning,
    files: ended.files
  })
  if (!output.json) {
    note(context, summary(ended))
    for (const about of ended.notes) note(context, runWarningText(about))
  }
  if (warning) note(context, warning)
  if (!output.json) await noteGitChanges(context, workspace, run)
}

/** [GT-5] Never throws: the command has ended. */
async function noteGitChanges(context: Context, workspace: string, run: string): Promise<void> {
  try {
    const { changes } = await context.call('git.changes', { workspace, run })
    const hint = hasLostGit(changes) ? ' `driftline git` lists what is lost.' : ''
    if (changes.length > 0) note(context, `${runGitText(changes)}${hint}`)
  } catch (error) {
    note(context, `What the run did to git couldn’t be read: ${toErrorShape(error).message}`)
  }
}

/** Calls a method that may be repeated; with the next recorder, if this one ends before it has answered. */
async function callAgain<M extends 'run.begin' | 'run.end'>(
  context: Context,
  method: M,
  params: Params<M>
): Promise<Result<M>> {
  try {
    return await context.call(method, params as Given<Params<M>>)
  } catch (error) {
    if (!(error instanceof DriftlineError && error.code === 'Disconnected')) throw error
    await context.reconnect()
    return await context.call(method, params as Given<Params<M>>)
  }
}

/** Of the form of the engine's ids (engine/store/ids.ts). */
function newRunId(): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  return `run_${Array.from(randomBytes(12), (byte) => letters[byte % 32]).join('')}`
}

function summary(ended: RunResult): string {
  const id = escapeLine(ended.run)
  if (ended.files.length === 0) return `recorded ${id}: no files changed.`
  const added = ended.files.reduce((sum, file) => sum + file.added, 0)
  const deleted = ended.files.reduce((sum, file) => sum + file.deleted, 0)
  const recorded = `recorded ${id}: ${plural(ended.files.length, 'file')} changed, +${added} -${deleted}.`
  // [GW-4] An undo leaves what another run may have changed.
  const canUndo = ended.files.some(({ attribution }) => attribution !== 'shared')
  return canUndo ? `${recorded} \`driftline undo-run ${id}\` undoes it.` : recorded
}

function note(context: Context, sentence: string): void {
  context.output.note(`${context.output.paintNote('dim', 'driftline:')} ${escapeText(sentence)}`)
}
