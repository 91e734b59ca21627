/** The words of stopped runs: what was deleted, what a person can do, and why an agent's tool is refused. Pure. */
import type { StoppedRun } from '../brake.ts'
import { agentIdentity } from './agents.ts'
import { plural } from './numbers.ts'
import { clip } from './text.ts'

type Deletion = Pick<StoppedRun, 'agent' | 'title' | 'deleted' | 'folder'>

/** "Claude Code", or the command of `driftline run` in quotes. */
function whoText({ agent, title }: Pick<Deletion, 'agent' | 'title'>): string {
  return agent === 'command' ? `“${clip(title, 60)}”` : agentIdentity(agent).name
}

/** "Claude Code deleted 412 files in src/". */
export function deletionText(deletion: Deletion): string {
  return `${whoText(deletion)} ${deletedText(deletion)}`
}

function deletedText({ deleted, folder }: Pick<Deletion, 'deleted' | 'folder'>): string {
  return `deleted ${plural(deleted, 'file')}${folder === '' ? '' : ` in ${folder}/`}`
}

/** What the run does now: a sentence. */
export function stoppedText({ agent, live, pids }: Pick<StoppedRun, 'agent' | 'live' | 'pids'>): string {
  if (!live) return 'The run has ended.'
  if (pids.length > 0) return 'It is frozen until you decide.'
  return agent === 'command'
    ? 'It could not be frozen, and may still run.'
    : 'Its tools may not change files until you decide.'
}

/** After a decision in the window. `files`: as many were restored. */
export function decidedText(decision: 'restore' | 'release' | 'end', files: number): string {
  switch (decision) {
    case 'restore':
      return `${plural(files, 'file')} restored. The run continues.`
    case 'release':
      return 'The run continues.'
    case 'end':
      return 'The run was ended.'
  }
}

/** Title of a notification: "Stopped in shop: Claude Code deleted 412 files in src/". `name`: of the recorded folder. */
export function stoppedTitle(deletion: Deletion, name?: string): string {
  return `Stopped${name === undefined ? '' : ` in ${name}`}: ${deletionText(deletion)}`
}

/** For the agent, when its tool is refused. `ended`: a person ended the run. */
export function refusedWhileStoppedText(deletion: Pick<Deletion, 'deleted' | 'folder'>, ended: boolean): string {
  const what = `Driftline stopped this run because it ${deletedText(deletion)} within a few seconds`
  return ended
    ? `${what}, and the user ended it. Do not change files any more. Tell the user what you were about to do, and wait for their answer.`
    : `${what}. Nothing may be changed until the user decides in Driftline whether to restore the files. Tell the user what you deleted and why, and wait for their answer.`
}
