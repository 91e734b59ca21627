/**
 * The file tools that agents use through Driftline: their names and answers. Requests are defined in params.ts. No I/O.
 */
import type { ToolUse } from './tool-params.ts'

/** Names of the tools that change files. */
const WRITING_TOOLS = [
  'write_file',
  'edit_file',
  'copy_file',
  'move_file',
  'delete_file',
  'create_dir',
  'remove_dir'
] as const
/** Names of the tools that only read, or make a checkpoint. */
export const READING_TOOLS = [
  'read_file',
  'list_runs',
  'run_diff',
  'file_history',
  'restore_preview',
  'checkpoint'
] as const

export type { ToolClient, ToolUse } from './tool-params.ts'
export type ToolName = ToolUse['tool']

/**
 * What a tool did. Changed nothing: `same-content`, `edited-before`, `no-change`, `absent`, `folder-exists`. `secret`:
 * its content is not returned. The paths and sizes are in the answer.
 */
type ToolOutcome =
  | {
      readonly code:
        | 'read'
        | 'created'
        | 'edited'
        | 'copied'
        | 'moved'
        | 'deleted'
        | 'folder-created'
        | 'same-content'
        | 'edited-before'
        | 'no-change'
        | 'absent'
        | 'folder-exists'
    }
  | { readonly code: 'replaced'; readonly bytesBefore: number }
  | { readonly code: 'folder-removed'; readonly entries: number }
  | { readonly code: 'secret'; readonly lines: number }

export interface ToolAnswer {
  readonly tool: ToolName
  /** Root-relative paths; of a copy or move the source and the destination. */
  readonly paths: readonly string[]
  /** Size of the file read, written, copied, moved or deleted; of a folder, of all files in it. */
  readonly bytes: number
  /** It replaced a file. */
  readonly overwritten: boolean
  /** Nothing had to be changed. */
  readonly noop: boolean
  readonly outcome: ToolOutcome
  /** The replaced file has other hard links, which keep the old content. */
  readonly hardLinks?: boolean
  /** The run and the edits that recorded the change; null and empty if nothing changed. */
  readonly run: string | null
  readonly edits: readonly number[]
  /** Its name suggests credentials, so its content is not returned. */
  readonly secret: boolean
  /** Of `edit_file`: how the passage was matched, and where. */
  readonly found?: {
    readonly rung: string
    readonly similarity: number
    readonly firstLine: number
    readonly lastLine: number
  }
  /** Of `read_file`. */
  readonly text?: {
    readonly content: string
    readonly firstLine: number
    readonly lastLine: number
    readonly lines: number
  }
}

/**
 * Our MCP server's name. Agents prefix tool names with it, each in its own form: `mcp__driftline__edit_file`,
 * `driftline.edit_file`.
 */
export const SERVER_NAME = 'driftline'
const PREFIXED_NAME = new RegExp(`(?:^|[^a-z])${SERVER_NAME}[^a-z]{1,2}([a-z_]+)$`)

/** The name without its prefix if it is one of our tools, else null. */
export function ownToolName(name: string): string | null {
  const own = PREFIXED_NAME.exec(name)?.[1] ?? ''
  return [...WRITING_TOOLS, ...READING_TOOLS].find((tool) => tool === own) ?? null
}
