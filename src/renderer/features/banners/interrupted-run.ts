/** What is said about a run that was cut off: where it stood and what it had written. Pure. */
import type { WorkspaceStatus } from '../../../contract/api.ts'
import { agentLook } from '../../ui/agent.tsx'
import { plural } from '../../ui/format.ts'

export type InterruptedRun = WorkspaceStatus['interruptedRuns'][number]

const MOST_WORDS = 60

/** `lead` names the run; `rest` goes on with what it was doing. */
export function interruptedWords(run: InterruptedRun): { readonly lead: string; readonly rest: string } {
  const who = run.agent === 'command' ? 'A command' : agentLook(run.agent).name
  const lead = run.title ? `${who} stopped in the middle of “${clip(run.title)}”` : `${who} stopped before its end`
  const doing = run.doing ? ` while running “${clip(run.doing)}”` : ''
  const wrote = run.files > 0 ? `it had written ${plural(run.files, 'file')}` : 'it had written no files'
  return { lead, rest: `${doing}; ${wrote}.` }
}

function clip(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > MOST_WORDS || line.length < text.length ? `${line.slice(0, MOST_WORDS).trimEnd()}…` : line
}
