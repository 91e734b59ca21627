/** The file tools an agent may use through Driftline: what it asks for and what it is answered. No I/O. */

import type { ToolUse } from './params.ts'

/** Tools that change files, by the names agents see. */
const WRITING_TOOLS = [
  'write_file',
  'edit_file',
  'copy_file',
  'move_file',
  'delete_file',
  'create_dir',
  'remove_dir'
] as const
/** Tools that only look. */
export const READING_TOOLS = [
  'read_file',
  'list_runs',
  'run_diff',
  'file_history',
  'restore_preview',
  'checkpoint'
] as const

export type { ToolClient, ToolUse } from './params.ts'
export type ToolName = ToolUse['tool']

export interface ToolAnswer {
  readonly tool: ToolName
  /** Root-relative paths it was about: of a copy or move the source and the destination. */
  readonly paths: readonly string[]
  /** Size of the file read, written, copied, moved or deleted; of a folder, of all in it. */
  readonly bytes: number
  /** A file was there before, and is replaced. */
  readonly overwritten: boolean
  /** Nothing had to be changed, and nothing was. */
  readonly noop: boolean
  /** What happened, in a sentence; with `noop` why nothing did. */
  readonly said: string
  /** The run and the Edits that hold the change; null and none when nothing changed. */
  readonly run: string | null
  readonly edits: readonly number[]
  /** It looks like it holds credentials, so its content is not given. */
  readonly secret: boolean
  /** Of an edit: how the passage was found, and where. */
  readonly found?: {
    readonly rung: string
    readonly similarity: number
    readonly firstLine: number
    readonly lastLine: number
  }
  /** Of a file that was read. */
  readonly text?: {
    readonly content: string
    readonly firstLine: number
    readonly lastLine: number
    readonly lines: number
  }
}

/** The name a client is registered under, and agents put before the tools' own names in their own ways. */
export const SERVER_NAME = 'driftline'
const OURS = new RegExp(`(?:^|[^a-z])${SERVER_NAME}[^a-z]{1,2}([a-z_]+)$`)

/** Which of our tools an agent means by a name such as `mcp__driftline__edit_file`; null for other tools. */
export function ownToolName(name: string): string | null {
  const own = OURS.exec(name)?.[1] ?? ''
  return [...WRITING_TOOLS, ...READING_TOOLS].find((one) => one === own) ?? null
}
