/** Text about an interrupted run: what it was doing and what it changed. Pure. */

import type { WorkspaceStatus } from '../status.ts'
import { agentIdentity } from './agents.ts'
import { plural } from './numbers.ts'
import { isShell } from './tool-calls.ts'

export type InterruptedRun = WorkspaceStatus['interruptedRuns'][number]

const MAX_LENGTH = 60

/** `lead` names the run; `rest` continues the sentence with its last action. */
export function interruptedText(run: InterruptedRun): { readonly lead: string; readonly rest: string } {
  const name = run.agent === 'command' ? 'A command' : agentIdentity(run.agent).name
  const lead = run.title ? `${name} was interrupted during “${clip(run.title)}”` : `${name} was interrupted`
  const action = actionText(run.doing)
  const changes = run.files > 0 ? `it changed ${plural(run.files, 'file')}` : 'it changed no files'
  return { lead, rest: `${action}; ${changes}.` }
}

/** `doing` has the form `Tool: argument`; for a shell only the command is shown. */
function actionText(doing: string): string {
  if (doing === '') return ''
  const [, tool = '', argument = ''] = /^(\S+): (.+)$/s.exec(doing) ?? []
  return isShell(tool) ? ` while running “${clip(argument)}”` : ` in “${clip(doing)}”`
}

function clip(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > MAX_LENGTH || line.length < text.length ? `${line.slice(0, MAX_LENGTH).trimEnd()}…` : line
}
