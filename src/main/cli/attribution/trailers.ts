/** Trailers of a commit message, one for each agent and model of which an edit is in force. Pure. */
import { isAgent } from './agent-trace.ts'
import type { Writer } from './attribution.ts'

/** Lines such as `Assisted-by: claude-code:claude-opus-4-5`, which `git interpret-trailers` takes. */
export function assistedBy(writers: Iterable<Writer>): string[] {
  const lines = [...writers]
    .filter(({ run }) => isAgent(run.agent))
    .map(
      ({ run, session }) => `Assisted-by: ${[run.agent, session?.model ?? ''].map(oneWord).filter(Boolean).join(':')}`
    )
  return [...new Set(lines)].sort()
}

/** A trailer is one line, and its parts have no spaces. */
function oneWord(text: string): string {
  return text.replaceAll(/[^\w.@/+-]+/g, '-')
}
