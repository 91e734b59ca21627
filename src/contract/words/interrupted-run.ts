/** Text about an interrupted run: what it was doing and what it changed. Pure. */
import type { InterruptedRun } from '../status.ts'
import { agentIdentity } from './agents.ts'
import { plural } from './numbers.ts'
import { isShell } from './tool-calls.ts'

const MAX_LENGTH = 60

/** `lead` names the run; `rest` continues the sentence with its last action. */
export function interruptedText(run: InterruptedRun): { readonly lead: string; readonly rest: string } {
  const name = run.agent === 'command' ? 'A command' : agentIdentity(run.agent).name
  const lead = run.title ? `${name} was interrupted during “${clip(run.title)}”` : `${name} was interrupted`
  const changes = run.files > 0 ? `it changed ${plural(run.files, 'file')}` : 'it changed no files'
  return { lead, rest: `${actionText(run)}; ${changes}.` }
}

/** What its own header says, which names the run, its state and its files already; "" if it was between tool calls. */
export function interruptedActionText(run: InterruptedRun): string {
  return run.openCall ? `Interrupted${actionText(run)}.` : ''
}

/** The tool call that was open; for a shell only the command is shown. */
function actionText({ openCall }: InterruptedRun): string {
  if (!openCall) return ''
  const { name, summary } = openCall
  if (summary && isShell(name)) return ` while running “${clip(summary)}”`
  return ` in “${clip([name, summary].filter(Boolean).join(': '))}”`
}

function clip(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > MAX_LENGTH || line.length < text.length ? `${line.slice(0, MAX_LENGTH).trimEnd()}…` : line
}
