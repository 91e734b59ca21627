/**
 * An authorship note of Git AI, format authorship/3.0.0: which lines of a commit an agent wrote, and its prompts. Pure; it is
 * attached by `git notes --ref=ai add`.
 */
import { createHash } from 'node:crypto'
import { VERSION } from '../../version.ts'
import { isAgent } from './agent-trace.ts'
import { type Attribution, rangesOf, type Writer } from './attribution.ts'
import type { Commit } from './commits.ts'

export interface NoteMessage {
  readonly type: 'user' | 'assistant' | 'tool_use'
  readonly text?: string
  readonly timestamp?: string
  readonly name?: string
  readonly input?: object
}

/** Of a conversation in the runs that wrote lines. */
export interface NoteConversation {
  readonly messages: readonly NoteMessage[]
  /** Lines of these runs, whether a commit has them or not. */
  readonly added: number
  readonly deleted: number
}

/** Names of agents there, where they differ. */
const TOOLS: Readonly<Record<string, string>> = { 'claude-code': 'claude', 'gemini-cli': 'gemini' }

/** `conversations`: by their names. Lines of runs that are no agent's are left out. */
export function gitAiNote(
  attribution: Attribution & { readonly commit: Commit },
  conversations: ReadonlyMap<string, NoteConversation>
): string {
  const { commit, files, writers } = attribution
  const accepted = new Map<string, { readonly writer: Writer; lines: number }>()
  const attestations = files.flatMap(({ path, writers: ofFile }) => {
    const entries = new Map<string, number[]>()
    for (const { run, lines } of ofFile) {
      const writer = writers.get(run)
      if (!writer || !isAgent(writer.run.agent)) continue
      const key = keyOf(writer)
      entries.set(key, [...(entries.get(key) ?? []), ...lines])
      const known = accepted.get(key) ?? { writer, lines: 0 }
      known.lines += lines.length
      accepted.set(key, known)
    }
    if (entries.size === 0) return []
    return [pathLine(`${commit.prefix}${path}`), ...[...entries].map(([key, lines]) => `  ${key} ${rangeText(lines)}`)]
  })
  const prompts = Object.fromEntries(
    [...accepted].map(([key, { writer, lines }]) => [
      key,
      prompt(writer, lines, commit.author, conversations.get(writer.conversation))
    ])
  )
  const metadata = {
    schema_version: 'authorship/3.0.0',
    git_ai_version: `driftline-${VERSION}`,
    base_commit_sha: commit.id,
    prompts
  }
  return `${[...attestations, '---'].join('\n')}\n${JSON.stringify(metadata, null, 2)}\n`
}

function prompt(writer: Writer, lines: number, author: string, conversation: NoteConversation | undefined): object {
  const { session, conversation: id } = writer
  const { messages = [], added = 0, deleted = 0 } = conversation ?? {}
  return {
    agent_id: { tool: toolOf(writer), id, model: session?.model || 'unknown' },
    human_author: author,
    messages,
    total_additions: added,
    total_deletions: deleted,
    accepted_lines: lines,
    overriden_lines: Math.max(0, added - lines)
  }
}

function toolOf({ run: { agent } }: Writer): string {
  return TOOLS[agent] ?? agent
}

/** The first 16 digits of the SHA-256 of tool and conversation. */
function keyOf(writer: Writer): string {
  return createHash('sha256')
    .update(`${toolOf(writer)}:${writer.conversation}`)
    .digest('hex')
    .slice(0, 16)
}

function rangeText(lines: readonly number[]): string {
  const sorted = lines.toSorted((a, b) => a - b)
  return rangesOf(sorted)
    .map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
    .join(',')
}

/** The format has no escape for a quotation mark, nor for a line feed in quotes that every reader takes. */
function pathLine(path: string): string {
  return /[\s"]/.test(path) ? `"${path}"` : path
}
