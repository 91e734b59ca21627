/** What a tool call says in one line: a verb, what it was about, and how long it took. Pure. */
import type { CallOutput, ToolCall } from '../../../contract/conversation.ts'
import { toolNamed } from '../../../contract/tools.ts'
import { clock, elapsed, plural } from '../../ui/format.ts'
import type { IconName } from '../../ui/icon-sprite.tsx'

export interface CallLook {
  readonly icon: IconName
  readonly verb: string
  /** Paths, a command, or what else it was given; "" when the verb says it all. */
  readonly what: string
}

interface Kind {
  readonly names: string
  readonly verb: string
  readonly icon: IconName
}

/** Names that agents give their tools, by what they do. A name that is not here is its own verb. */
const KINDS: readonly Kind[] = [
  { names: 'read read_file read_files read_many_files view view_image notebookread', verb: 'Read', icon: 'eye' },
  { names: 'edit edit_file multiedit replace editor apply_patch notebookedit patch', verb: 'Edit', icon: 'pencil' },
  { names: 'write write_file write_to_file create', verb: 'Write', icon: 'fileplus' },
  { names: 'delete_file remove_dir', verb: 'Delete', icon: 'stop' },
  { names: 'move_file', verb: 'Move', icon: 'swap' },
  { names: 'copy_file', verb: 'Copy', icon: 'copy' },
  { names: 'bash shell exec exec_command local_shell run_shell_command run_commands', verb: 'Run', icon: 'terminal' },
  {
    names: 'glob grep ls list_directory list_files search_files grep_search search_file_content tool_search',
    verb: 'Search',
    icon: 'search'
  },
  { names: 'webfetch websearch web_fetch web_search google_web_search fetch', verb: 'Look up', icon: 'external' },
  { names: 'todowrite todo_write update_plan taskcreate taskupdate', verb: 'Plan', icon: 'todo' },
  { names: 'agent task', verb: 'Delegate', icon: 'person' }
]
const BY_NAME: ReadonlyMap<string, Kind> = new Map(
  KINDS.flatMap((kind) => kind.names.split(' ').map((name) => [name, kind] as const))
)

/** Our own tools are known whatever the agent puts before their names. */
function kindOf(tool: string): Kind | undefined {
  return BY_NAME.get((toolNamed(tool) ?? tool).toLowerCase())
}

/** `root`: the folder; paths inside it are written from there. */
export function callLook(call: ToolCall, root: string): CallLook {
  const kind = kindOf(call.name)
  const said = call.paths.length > 0 && kind?.verb !== 'Run' ? call.paths.join(', ') : inside(call.summary, root)
  const what = said.toLowerCase() === call.name.toLowerCase() ? '' : said
  return kind ? { icon: kind.icon, verb: kind.verb, what } : { icon: 'hex', verb: call.name, what }
}

export function isRead(call: ToolCall): boolean {
  return kindOf(call.name)?.verb === 'Read'
}

/** The file a call is about: one it named, else one it changed. null without one. */
export function callPath(call: ToolCall): string | null {
  return call.paths[0] ?? call.changed[0]?.path ?? null
}

/** How many files it changed, where its own line does not say so already. */
export function callFiles(call: ToolCall): string {
  const named = call.paths.length === 1 && call.changedCount <= 1
  return call.changedCount === 0 || named ? '' : plural(call.changedCount, 'file')
}

/** More about a call, line by line. */
export function callDetails(call: ToolCall, root: string): readonly string[] {
  const { what } = callLook(call, root)
  const until = call.endedAt === null ? '' : ` – ${clock(call.endedAt)}`
  const listed = call.changed.filter(({ path }) => path !== what)
  const rest = call.changedCount - call.changed.length
  return [
    what || call.summary,
    `${clock(call.startedAt)}${until}, ${call.name}`,
    ...listed.map(({ path, attribution }) => (attribution === 'declared' ? path : `${path} (side effect)`)),
    ...(rest > 0 ? [`and ${plural(rest, 'more file')}`] : []),
    ...(call.complete ? [] : ['The folder could not be compared before it ran: an original may be missing.'])
  ]
}

/** Lines of an output that show before its call is opened. */
const LINES_SHOWN = 3

/** What a command printed: its last lines, all that are kept when it is `open`; `above` says what stands before them, "" for nothing. */
export function outputLines(
  output: CallOutput | null,
  open: boolean
): { readonly shown: readonly string[]; readonly above: string } {
  if (output === null) return { shown: [], above: '' }
  const lines = output.text.split('\n')
  const shown = open ? lines : lines.slice(-LINES_SHOWN)
  const more = lines.length - shown.length
  if (more > 0) return { shown, above: `… ${plural(more, 'more line')}` }
  return { shown, above: output.cut ? 'What was printed before is not kept.' : '' }
}

/** A tool that runs commands, by its name. */
export function isShell(tool: string): boolean {
  return kindOf(tool)?.verb === 'Run'
}

/** The same words with the folder itself left out of paths. */
function inside(words: string, root: string): string {
  return root ? words.replaceAll(`${root}/`, '') : words
}

/** `0.1 s`, `6.8 s`, `42 s`, `2:04`. */
export function duration(ms: number): string {
  const s = Math.max(0, ms) / 1000
  if (s >= 60) return elapsed(ms)
  return s < 10 ? `${(Math.round(s * 10) / 10).toFixed(1)} s` : `${Math.round(s)} s`
}

export function isWorking(call: ToolCall): boolean {
  return call.state === 'open' || call.state === 'working'
}

const WRITING = new Set(['Edit', 'Write', 'Copy', 'Move', 'Delete'])

/** Paths that tools are writing at this moment: those that calls named whose end was not told yet. A command names none. */
export function writtenNow(calls: readonly ToolCall[]): ReadonlySet<string> {
  const writing = calls.filter(({ state, name }) => state === 'open' && WRITING.has(kindOf(name)?.verb ?? ''))
  return new Set(writing.flatMap(({ paths }) => paths))
}

/** How it ended, or how long it has been working. */
export function callEnd(call: ToolCall, now: number): string {
  switch (call.state) {
    case 'open':
      return duration(now - call.startedAt)
    case 'working':
      return 'in the background'
    case 'failed':
      return 'failed'
    case 'abandoned':
      return 'cut off'
    case 'done':
      return call.endedAt === null ? '' : duration(call.endedAt - call.startedAt)
  }
}
