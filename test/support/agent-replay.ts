/** Replays recorded hook payloads of real agents against a real engine, and applies the file changes of their tools. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Params } from '../../src/contract/api.ts'
import { ownProcess } from '../../src/main/engine/ports/processes.ts'
import type { RecordedFolder } from './recorded-folder.ts'

const FIXTURES = resolve(import.meta.dirname, '../fixtures/hooks')
/** The files at the start of every recorded conversation. */
export const PROJECT = { 'app.txt': 'name = demo\ncolour = red\n', 'a.txt': 'alpha beta\n', 'c.txt': 'bye\n' }

export interface Line {
  readonly event: string
  readonly input: Record<string, unknown>
}

/** The recorded events with the test's own folder in place of the recorded one. */
export function recordedEvents(name: string, root: string, home = '/home/u'): Line[] {
  const text = readFileSync(join(FIXTURES, `${name}.jsonl`), 'utf8')
    .replaceAll('/home/u', inJson(home))
    // Not the folder that Gemini CLI names after it.
    .replace(/(?<!\/tmp)\/proj(?![A-Za-z-])/g, () => inJson(root))
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/** A path as a part of JSON text. */
function inJson(path: string): string {
  return JSON.stringify(path).slice(1, -1)
}

let next = 0

/** One event as `driftline hook` sends it. */
export function toHookEvent(
  agent: string,
  line: Line,
  more: Partial<Params<'agent.event'>> = {}
): Params<'agent.event'> {
  const { start, pid } = ownProcess()
  return {
    id: `test-${++next}`,
    agent,
    event: line.event,
    at: Date.now(),
    payload: line.input,
    process: { pid, start },
    ...more
  }
}

export interface Replay {
  /** Called before each event; false skips the event. */
  readonly before?: (line: Line, index: number) => boolean | undefined
  /** Replaces a tool's work; false runs the default. */
  readonly work?: (line: Line) => boolean
  /** After an event was answered and its tool has worked. */
  readonly after?: (line: Line, index: number) => Promise<void> | void
  readonly more?: Partial<Params<'agent.event'>>
}

/** Sends the events in order. A tool works after its start event was answered, as with a real agent. */
export async function replay(
  folder: RecordedFolder,
  agent: string,
  lines: readonly Line[],
  options: Replay = {}
): Promise<void> {
  for (const [index, line] of lines.entries()) {
    if (options.before?.(line, index) === false) continue
    await folder.engine.callUntyped('agent.event', toHookEvent(agent, line, options.more))
    if (isStart(line.event) && !options.work?.(line)) doTool(folder.root, line)
    await options.after?.(line, index)
  }
}

function isStart(event: string): boolean {
  return event === 'PreToolUse' || event === 'BeforeTool' || event === 'tool.execute.before'
}

/** Applies the file changes of the tool of a start event. */
export function doTool(root: string, { input }: Line): void {
  const call = (input.tool_call ?? {}) as { name?: string; input?: unknown }
  const output = (input.output ?? {}) as { args?: unknown }
  const name = String(input.tool_name ?? call.name ?? input.tool)
  const args = (input.tool_input ?? call.input ?? output.args ?? {}) as Record<string, string> & { commands?: string[] }
  const file = args.file_path ?? args.filePath ?? args.path ?? ''
  switch (name) {
    case 'Write':
    case 'write_file':
    case 'write':
      put(file, String(args.content))
      break
    case 'Edit':
    case 'replace':
    case 'edit':
      change(file, args.old_string ?? args.oldString ?? '', args.new_string ?? args.newString ?? '')
      break
    case 'editor':
      if (args.old_text === undefined) put(file, String(args.new_text))
      else change(file, args.old_text, String(args.new_text))
      break
    case 'Bash':
    case 'bash':
    case 'run_shell_command':
      runCommand(root, String(args.command))
      break
    case 'run_commands':
      for (const command of args.commands ?? []) runCommand(root, command)
      break
    case 'apply_patch':
      patch(root, args.command ?? args.patchText ?? '')
  }
}

const EDITS = 'sed -i s/alpha/ALPHA/ a.txt && mv a.txt b.txt && rm c.txt && mkdir -p sub && echo made > sub/new.txt'

/** What a recorded command did, without a shell: Windows has none that knows it. */
function runCommand(root: string, command: string): void {
  if (command.startsWith('cat ')) return
  if (command !== EDITS) throw new Error(`not a recorded command: ${command}`)
  const at = (path: string): string => join(root, path)
  // sed writes a new file and gives it the name of the old one.
  writeFileSync(at('sedAbCdEf'), readFileSync(at('a.txt'), 'utf8').replace('alpha', 'ALPHA'))
  renameSync(at('sedAbCdEf'), at('a.txt'))
  renameSync(at('a.txt'), at('b.txt'))
  rmSync(at('c.txt'))
  put(at('sub/new.txt'), 'made\n')
}

function put(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function change(file: string, from: string, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

/** The subset of the patch format that the recorded patches use. */
function patch(root: string, text: string): void {
  let file = ''
  let removed: string[] = []
  for (const line of text.split('\n')) {
    const [, what, name] = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line) ?? []
    if (what && name) {
      const path = resolve(root, name)
      if (what === 'Move to') renameSync(file, path)
      if (what === 'Delete File') rmSync(path)
      if (what === 'Add File') put(path, '')
      file = path
    } else if (line.startsWith('-')) removed.push(line.slice(1))
    else if (line.startsWith('+') && removed.length > 0) {
      change(file, removed.join('\n'), line.slice(1))
      removed = []
    } else if (line.startsWith('+')) writeFileSync(file, `${line.slice(1)}\n`, { flag: 'a' })
  }
}
