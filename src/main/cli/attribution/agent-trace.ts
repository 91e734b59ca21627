/** A record of Agent Trace 0.1 (agent-trace.dev): which lines of a revision which conversation wrote. Pure. */
import { createHash } from 'node:crypto'
import { VERSION } from '../../version.ts'
import { type AttributedFile, type AttributedLines, type Attribution, rangesOf, type Writer } from './attribution.ts'

/** Providers by how the names of their models begin, as models.dev names both. */
const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/^claude/, 'anthropic'],
  [/^(gpt|o\d|codex|chatgpt)/, 'openai'],
  [/^gemini/, 'google'],
  [/^(qwen|qwq)/, 'alibaba'],
  [/^(grok)/, 'xai'],
  [/^(deepseek)/, 'deepseek']
]

/** `now`: ms UTC. The same run and commit give the same record but for its time. */
export function agentTrace(attribution: Attribution, now: number): object {
  const { commit, files, writers } = attribution
  return {
    version: '0.1',
    id: uuidOf(
      [commit?.id ?? '', ...[...writers.keys()].sort(), JSON.stringify(files.map(({ path }) => path))].join('\n')
    ),
    timestamp: new Date(now).toISOString(),
    ...(commit ? { vcs: { type: 'git', revision: commit.id } } : {}),
    tool: { name: 'driftline', version: VERSION },
    files: files.map((file) => fileRecord(file, writers, commit?.prefix ?? ''))
  }
}

function fileRecord({ path, writers: lines }: AttributedFile, writers: Attribution['writers'], prefix: string): object {
  return {
    path: `${prefix}${path}`,
    conversations: lines.map((written) => conversation(written, writers.get(written.run) as Writer))
  }
}

function conversation({ lines, text }: AttributedLines, { run, session, conversation: id }: Writer): object {
  const model = modelId(session?.model ?? '')
  return {
    contributor: { type: isAgent(run.agent) ? 'ai' : 'unknown', ...(model === null ? {} : { model_id: model }) },
    ranges: rangesOf(lines).map(([from, to]) => ({
      start_line: from,
      end_line: to,
      content_hash: `sha256:${hashOf(text.slice(lines.indexOf(from), lines.indexOf(to) + 1))}`
    })),
    related: [
      { type: 'session', url: `urn:driftline:session:${encodeURIComponent(id)}` },
      { type: 'run', url: `urn:driftline:run:${run.id}` }
    ]
  }
}

/** A run of `driftline run` may be anything. */
export function isAgent(agent: string): boolean {
  return agent !== 'command' && agent !== ''
}

/** `provider/model`; null where the provider is not known. */
function modelId(model: string): string | null {
  if (model.includes('/')) return model
  const provider = PROVIDERS.find(([pattern]) => pattern.test(model))?.[1]
  return provider === undefined ? null : `${provider}/${model}`
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
}

/** A UUID of version 8, whose bits are those of a hash (RFC 9562). */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32)
  ].join('-')
}
