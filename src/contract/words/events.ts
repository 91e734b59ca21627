/** Named events as a line for people. Pure. */
import type { NamedEvent } from '../events.ts'
import { checkpointTitle } from './checkpoints.ts'
import { plural } from './numbers.ts'

/** What happened, without the name of the event. Not escaped. */
export function eventText(event: NamedEvent): string {
  switch (event.event) {
    case 'run.diff-summary':
      return `${event.run} “${event.title}”: ${plural(event.files, 'file')}, +${event.added} -${event.deleted}`
    case 'tool.diff': {
      const lines = event.added === null ? '' : `, +${event.added} -${event.deleted}`
      return `${event.path} ${changeText(event)} by ${event.tool ?? event.run}${lines}`
    }
    case 'shell.side-effect':
      return `${event.path} ${changeText(event)} while ${event.tool ?? event.run} ran`
    case 'drift.found':
      return `${event.path} ${changeText(event)} outside`
    case 'checkpoint.created':
      return `${event.checkpoint} ${checkpointTitle(event)}`
    case 'brake.stopped':
      return `${event.run} “${event.title}” deleted ${plural(event.deleted, 'file')}`
    case 'checkpoint.warning':
      return `${event.checkpoint} ${WARNINGS[event.code]}`
    case 'checkpoint.restored':
      return `${event.target} by ${event.restore}`
    case 'restore.finished':
      return `${event.restore} ${event.act}: ${event.state}, ${plural(event.files, 'file')}`
  }
}

const WARNINGS = {
  drifted: 'includes changes that were made outside before the run',
  incomplete: 'may lack earlier versions of some files'
} as const

const CHANGES = {
  added: 'added',
  deleted: 'deleted',
  modified: 'changed',
  mode: 'changed its permissions',
  type: 'replaced'
}

function changeText({ change }: { readonly change: keyof typeof CHANGES }): string {
  return CHANGES[change]
}

/** Title of the notification that a run has ended, such as "7 files changed in shop-api". */
export function runEndedText(files: number, name: string): string {
  return `${files === 0 ? 'No files' : plural(files, 'file')} changed in ${name}`
}
