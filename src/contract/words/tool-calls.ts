/** The words of a tool call: its verb and subject, its status, details and output. Pure. */
import type { CallOutput, SessionCall, ToolCall } from '../conversation.ts'
import { ownToolName } from '../tools.ts'
import { plural } from './numbers.ts'
import { clock, elapsed } from './times.ts'

export type CallKind =
  | 'read'
  | 'edit'
  | 'write'
  | 'delete'
  | 'move'
  | 'copy'
  | 'run'
  | 'search'
  | 'fetch'
  | 'plan'
  | 'delegate'
  | 'unknown'

interface CallLabel {
  readonly kind: CallKind
  readonly verb: string
  /** Paths, a command or another argument; "" if the call has none. */
  readonly subject: string
}

interface ToolKind {
  /** Lower-case tool names, separated by blanks. */
  readonly names: string
  readonly verb: string
  readonly kind: CallKind
}

/** Tool names of the supported agents by what they do. An unknown tool name is shown as its own verb. */
const TOOL_KINDS: readonly ToolKind[] = [
  { names: 'read read_file read_files read_many_files view view_image notebookread', verb: 'Read', kind: 'read' },
  { names: 'edit edit_file multiedit replace editor apply_patch notebookedit patch', verb: 'Edit', kind: 'edit' },
  { names: 'write write_file write_to_file create', verb: 'Write', kind: 'write' },
  { names: 'delete_file remove_dir', verb: 'Delete', kind: 'delete' },
  { names: 'move_file', verb: 'Move', kind: 'move' },
  { names: 'copy_file', verb: 'Copy', kind: 'copy' },
  { names: 'bash shell exec exec_command local_shell run_shell_command run_commands', verb: 'Run', kind: 'run' },
  {
    names: 'glob grep ls list_directory list_files search_files grep_search search_file_content tool_search',
    verb: 'Search',
    kind: 'search'
  },
  { names: 'webfetch websearch web_fetch web_search google_web_search fetch', verb: 'Look up', kind: 'fetch' },
  { names: 'todowrite todo_write update_plan taskcreate taskupdate', verb: 'Plan', kind: 'plan' },
  { names: 'agent task', verb: 'Delegate', kind: 'delegate' }
]
const KIND_BY_NAME: ReadonlyMap<string, ToolKind> = new Map(
  TOOL_KINDS.flatMap((kind) => kind.names.split(' ').map((name) => [name, kind] as const))
)

/** Driftline's MCP tools are found under any prefix that an agent adds to their names. */
function kindOf(tool: string): ToolKind | undefined {
  return KIND_BY_NAME.get((ownToolName(tool) ?? tool).toLowerCase())
}

/** `root`: absolute path of the workspace; paths inside it are shown relative to it. */
export function callLabel(call: ToolCall, root: string): CallLabel {
  const kind = kindOf(call.name)
  const text = call.paths.length > 0 && kind?.kind !== 'run' ? call.paths.join(', ') : relativeTo(call.summary, root)
  const subject = text.toLowerCase() === call.name.toLowerCase() ? '' : text
  return kind ? { kind: kind.kind, verb: kind.verb, subject } : { kind: 'unknown', verb: call.name, subject }
}

export function isReadCall(call: ToolCall): boolean {
  return kindOf(call.name)?.kind === 'read'
}

/**
 * Adjacent calls with equal keys do the same kind of thing and can be shown as one line: reads, searches, and commands of
 * the same program. Null for a call that a person has to see by itself: it changed files, failed, or still works.
 */
export function repetitionKey(call: ToolCall): string | null {
  const kind = kindOf(call.name)?.kind ?? call.name
  if (kind === 'read') return kind
  if (call.state !== 'done' || call.changedCount > 0) return null
  if (kind === 'search') return kind
  return kind === 'run' ? `run ${programOf(call)}` : `${kind} ${call.summary}`
}

/** The subject of a line for `count` more calls with the same key: "5 more files", "sed 5 more times". */
export function repetitionText(call: ToolCall, count: number): string {
  const kind = kindOf(call.name)?.kind
  if (kind === 'read') return plural(count, 'more file')
  const times = plural(count, 'more time')
  return kind === 'run' ? `${programOf(call)} ${times}` : times
}

function programOf({ summary }: ToolCall): string {
  return /^\S*/.exec(summary.trim())?.[0] ?? ''
}

/** The file a call is about: the first path it named, else the first it changed; null if neither. */
export function callPath(call: ToolCall): string | null {
  return call.paths[0] ?? call.changed[0]?.path ?? null
}

/** [UI-6] Number of changed files in words; "" if the call's subject already names the one file. */
export function changedFilesLabel(call: SessionCall): string {
  const files = call.changedCount - call.renames
  const named = call.paths.length === 1 && files <= 1
  return files === 0 || named ? '' : plural(files, 'file')
}

/** The details shown for an expanded call, line by line. */
export function callDetails(call: ToolCall, root: string): readonly string[] {
  const { subject } = callLabel(call, root)
  const until = call.endedAt === null ? '' : ` – ${clock(call.endedAt)}`
  const listed = call.changed.filter(({ path }) => path !== subject)
  const unlisted = call.changedCount - call.changed.length
  return [
    subject || call.summary,
    `${clock(call.startedAt)}${until}, ${call.name}`,
    ...listed.map(({ path, attribution }) => (attribution === 'declared' ? path : `${path} (side effect)`)),
    ...(unlisted > 0 ? [`and ${plural(unlisted, 'more file')}`] : []),
    ...(call.complete ? [] : ['The folder was not scanned before this call, so originals may be missing.'])
  ]
}

/** Output lines shown while the call is collapsed. */
const COLLAPSED_LINES = 3

/**
 * The visible part of a command's output: its last lines, or all stored lines if the call is `open`.
 * `above` is the note in place of the lines before them, "" if there are none.
 */
export function visibleOutput(
  output: CallOutput | null,
  open: boolean
): { readonly shown: readonly string[]; readonly above: string } {
  if (output === null) return { shown: [], above: '' }
  const lines = output.text.split('\n')
  const shown = open ? lines : lines.slice(-COLLAPSED_LINES)
  const more = lines.length - shown.length
  if (more > 0) return { shown, above: `… ${plural(more, 'more line')}` }
  return { shown, above: output.cut ? 'Earlier output is not stored.' : '' }
}

/** Whether a tool runs shell commands. */
export function isShell(tool: string): boolean {
  return kindOf(tool)?.kind === 'run'
}

/** Shortens paths in the workspace to relative ones. */
function relativeTo(text: string, root: string): string {
  return root ? text.replaceAll(`${root}/`, '') : text
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

/** Kinds of tools that write the paths they name. Shell commands name none. */
const WRITING: ReadonlySet<CallKind> = new Set<CallKind>(['edit', 'write', 'copy', 'move', 'delete'])

/** Paths that are being written now: those named by writing calls that have not ended. */
export function pathsBeingWritten(calls: readonly ToolCall[]): ReadonlySet<string> {
  const writing = calls.filter(({ state, name }) => state === 'open' && WRITING.has(kindOf(name)?.kind ?? 'unknown'))
  return new Set(writing.flatMap(({ paths }) => paths))
}

/** The result of a call, or its duration so far. */
export function callStatus({ state, startedAt, endedAt }: ToolCall, now: number): string {
  if (state === 'open') return duration(now - startedAt)
  if (state === 'done') return endedAt === null ? '' : duration(endedAt - startedAt)
  return { working: 'in the background', failed: 'failed', abandoned: 'interrupted' }[state]
}
