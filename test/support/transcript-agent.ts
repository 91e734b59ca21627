/** A simulated Claude Code in a recorded folder: sends hook events, writes its transcript and changes files. */
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Params } from '../../src/contract/api.ts'
import type { Message, MessagePage, SessionDetail } from '../../src/contract/conversation.ts'
import type { Engine } from '../../src/main/engine/engine.ts'
import { toHookEvent } from './agent-replay.ts'

export interface TranscriptAgent {
  readonly session: string
  readonly transcript: string
  /** One prompt with its answer; `work` changes files between the events of a tool call with output. Returns the turn. */
  say(prompt: string, answer: string, work?: () => void, printed?: string): Promise<string>
  /** A prompt without an end: its tool call stays open, and no further events are sent. */
  begin(prompt: string, work?: () => void): Promise<string>
  /** Rewinds within the agent to before its nth prompt (0-based), which sends no event. */
  rewind(prompt: number): void
  send(event: string, payload?: Record<string, unknown>): Promise<void>
  /** The conversation as recorded, with its first 500 messages. */
  detail(): Promise<SessionDetail & Pick<MessagePage, 'messages'>>
  /** The first 500 messages. */
  page(): Promise<MessagePage>
  /** Texts of the active messages, oldest first. */
  messages(): Promise<string[]>
}

/** The folder of the agent: one of a test's engine, or one recorded by a host process. */
export interface AgentFolder {
  readonly root: string
  /** Parent of the agent's own folder. */
  readonly home: string
  readonly workspace: string
  readonly engine: Pick<Engine, 'call' | 'callUntyped'>
}

/** The records of a session file of Claude Code. */
export function readTranscript(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

export function activeMessages(messages: readonly Message[]): string[] {
  return messages.filter((message) => !message.superseded).map((message) => message.text)
}

export function createTranscriptAgent(
  folder: AgentFolder,
  id: string = randomUUID(),
  more: Partial<Params<'agent.event'>> = {}
): TranscriptAgent {
  const transcript = join(folder.home, '.claude/projects/-project', `${id}.jsonl`)
  mkdirSync(dirname(transcript), { recursive: true, mode: 0o700 })
  // A session that goes on stands on the last record of its file.
  let parent: string | null = existsSync(transcript)
    ? ((readTranscript(transcript).findLast((record) => record.uuid)?.uuid as string) ?? null)
    : null
  const write = (type: 'user' | 'assistant', content: unknown): void => {
    const uuid = randomUUID()
    const line = { parentUuid: parent, isSidechain: false, type, message: { role: type, content }, uuid, sessionId: id }
    appendFileSync(
      transcript,
      `${JSON.stringify({ ...line, timestamp: new Date().toISOString(), cwd: folder.root })}\n`
    )
    parent = uuid
  }
  const agent: TranscriptAgent = {
    session: id,
    transcript,
    send: async (event, payload = {}) => {
      const common = { session_id: id, transcript_path: transcript, cwd: folder.root, hook_event_name: event }
      await folder.engine.callUntyped(
        'agent.event',
        toHookEvent('claude-code', { event, input: { ...common, ...payload } }, more)
      )
    },
    rewind: (prompt) => {
      const prompts = readTranscript(transcript).filter(
        ({ type, message }) => type === 'user' && typeof (message as { content: unknown }).content === 'string'
      )
      parent = prompts[prompt]?.parentUuid as string | null
    },
    begin: async (prompt, work) => {
      await agent.send('UserPromptSubmit', { prompt, prompt_id: randomUUID() })
      write('user', prompt)
      const use = randomUUID()
      const tool = { tool_name: 'Bash', tool_input: { command: 'work' }, tool_use_id: use }
      write('assistant', [{ type: 'tool_use', id: use, name: 'Bash', input: tool.tool_input }])
      await agent.send('PreToolUse', tool)
      work?.()
      const { turns } = await agent.detail()
      return turns.at(-1)!.id
    },
    say: async (prompt, answer, work, printed = 'ok') => {
      await agent.send('UserPromptSubmit', { prompt, prompt_id: randomUUID() })
      write('user', prompt)
      const use = randomUUID()
      const tool = { tool_name: 'Bash', tool_input: { command: 'work' }, tool_use_id: use }
      write('assistant', [{ type: 'tool_use', id: use, name: 'Bash', input: tool.tool_input }])
      await agent.send('PreToolUse', tool)
      work?.()
      await agent.send('PostToolUse', { ...tool, tool_response: { stdout: printed, stderr: '' } })
      write('user', [{ type: 'tool_result', tool_use_id: use, content: printed }])
      write('assistant', [{ type: 'text', text: answer }])
      await agent.send('Stop', { last_assistant_message: answer, background_tasks: [] })
      const { turns } = await agent.detail()
      return turns.at(-1)!.id
    },
    detail: async () => ({
      ...(await folder.engine.call('sessions.show', { workspace: folder.workspace, session: id })),
      messages: (await agent.page()).messages
    }),
    page: () => folder.engine.call('sessions.messages', { workspace: folder.workspace, session: id, limit: 500 }),
    messages: async () => activeMessages((await agent.page()).messages)
  }
  return agent
}
