/** What is said about a run that was cut off: where it stood and what it had written. Pure. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { agentIdentity } from '../../ui/agent.tsx'
import { plural } from '../../ui/format.ts'
import { isShell } from '../conversation/call-words.ts'

export type InterruptedRun = WorkspaceStatus['interruptedRuns'][number]

const MOST_WORDS = 60

/** `lead` names the run; `rest` goes on with what it was doing. */
export function interruptedText(run: InterruptedRun): { readonly lead: string; readonly rest: string } {
  const who = run.agent === 'command' ? 'A command' : agentIdentity(run.agent).name
  const lead = run.title ? `${who} was interrupted during “${clip(run.title)}”` : `${who} was interrupted`
  const doing = doingWords(run.doing)
  const wrote = run.files > 0 ? `it changed ${plural(run.files, 'file')}` : 'it changed no files'
  return { lead, rest: `${doing}; ${wrote}.` }
}

/** A call is told as `Tool: what`; of a shell's only the command is of interest. */
function doingWords(doing: string): string {
  if (doing === '') return ''
  const [, tool = '', what = ''] = /^(\S+): (.+)$/s.exec(doing) ?? []
  return isShell(tool) ? ` while running “${clip(what)}”` : ` in “${clip(doing)}”`
}

function clip(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > MOST_WORDS || line.length < text.length ? `${line.slice(0, MOST_WORDS).trimEnd()}…` : line
}
