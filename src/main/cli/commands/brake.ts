/** `driftline brake`: runs that were stopped because they deleted too much, and what happens with them. */
import type { StoppedRun } from '../../../contract/brake.ts'
import { deletionText, stoppedText } from '../../../contract/words/brake.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { choose, usage } from '../arguments.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { planDocument, resultDocument } from '../documents.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { exitCodeOfResult } from '../plan-and-apply.ts'
import { planLines, resultLines } from '../plan-text.ts'

export const brake = command({
  name: 'brake',
  usage: ['', 'release RUN', 'restore RUN [--dry-run]', 'end RUN'],
  summary:
    'list runs that were stopped because they deleted many files; restore the files, let the run continue, or end it',
  options: { 'dry-run': { type: 'boolean', help: 'with `restore`: print the plan and write nothing' } },
  positionals: [0, 2],
  run: async (context, { values, positionals: [typed, run] }) => {
    const dryRun = values['dry-run'] === true
    if (typed === undefined) return list(context)
    const verb = choose('`driftline brake`', ['release', 'restore', 'end'], typed)
    if (run === undefined) throw usage(brake, `\`driftline brake ${verb}\` needs the RUN.`)
    if (dryRun && verb !== 'restore') throw usage(brake, '--dry-run is for `driftline brake restore`.')
    return verb === 'restore' ? restore(context, run, dryRun) : decide(context, run, verb)
  }
})

async function list({ ask, output }: Context): Promise<number> {
  const { stopped } = await ask('brake.list', {})
  const lines = stoppedLines(stopped, output.paint, Date.now())
  return output.print({ stopped }, lines.length > 0 ? lines : ['No run is stopped.'])
}

async function decide({ ask, output }: Context, typed: string, decision: 'release' | 'end'): Promise<number> {
  const { run } = await ask('brake.decide', { run: typed, decision })
  return output.print({ run, decision }, [
    decision === 'release'
      ? `Released ${escapeLine(run)}. It continues, and is not stopped again.`
      : `Ended ${escapeLine(run)}: its frozen processes were ended, and its agent may not change files any more. \`driftline undo-run ${escapeLine(run)}\` undoes what it did.`
  ])
}

async function restore({ ask, output }: Context, run: string, dryRun: boolean): Promise<number> {
  const { plan, result } = await ask('brake.restore', { run, dryRun })
  if (result === null) return output.print(planDocument(plan), planLines(plan, output.paint, output.width))
  output.print(resultDocument(result), resultLines('restore', result, output.paint))
  const code = exitCodeOfResult(result)
  if (code !== 0) output.note('The run stays stopped, because not every file is back.')
  return code
}

/** Each stopped run with what a person can do. */
export function stoppedLines(stopped: readonly StoppedRun[], paint: Paint, now: number): string[] {
  return stopped.flatMap((stop) => [
    `${paint('red', 'Stopped')} ${escapeLine(deletionText(stop))}, ${formatTime(stop.since, now)}. ${stoppedText(stop)}`,
    `  driftline brake restore ${stop.run}   restores them${stop.live ? ' and lets it continue' : ''}`,
    `  driftline brake release ${stop.run}   ${stop.live ? 'lets it continue' : 'leaves them deleted'}`,
    ...(stop.live ? [`  driftline brake end ${stop.run}       ends it`] : [])
  ])
}
