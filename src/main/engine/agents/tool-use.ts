/**
 * Derives the write scope and the paths of a tool call from the tool's name and input; the same rules for every
 * agent. When in doubt the scope is the whole folder, because a missed edit is worse than a scan.
 */
import { ownToolName, READING_TOOLS } from '../../../contract/tools.ts'
import type { ToolUse } from './agent-action.ts'
import { asFields, asList, asText, type Fields } from './payload.ts'
import { isTruncated } from './truncate-texts.ts'

/** The words of a text. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

export interface ToolNames {
  /** Tools that never write into the workspace. */
  readonly readOnly: ReadonlySet<string>
  /** Tools that write exactly the paths they name. */
  readonly writes: ReadonlySet<string>
  /** Tools whose input is a patch. */
  readonly patches?: ReadonlySet<string>
}

/** Names of arguments that hold a path. */
const PATH_ARGUMENTS = wordSet(
  'path file_path filePath filepath file notebook_path absolute_path source destination src dst from to old_path new_path oldPath newPath target_file targetFile'
)
const MAX_SUMMARY = 500
/** Limits for a path, above what any system accepts: checking a longer one on disk would only delay the agent. */
const MAX_PATH = 4000
const MAX_PATH_DEPTH = 256
const MAX_PATHS = 5000
const MAX_INPUT_DEPTH = 3

/**
 * Whether a path can be checked on disk. A tool that names an unusable path, or too many paths, gets the whole folder
 * as its scope.
 */
export function isUsablePath(path: string): boolean {
  return (
    path.length <= MAX_PATH && !path.includes('\0') && path.split(/[/\\]/, MAX_PATH_DEPTH + 1).length <= MAX_PATH_DEPTH
  )
}

/**
 * Describes one tool call. An unknown tool may write anywhere, so its scope is the whole folder; the paths it names
 * are still declared.
 */
export function readToolUse(call: string | null, tool: string, input: unknown, names: ToolNames): ToolUse {
  const args = asFields(input)
  const base = { call, tool, summary: summarize(tool, args) }
  const ownTool = ownToolName(tool)
  if (names.readOnly.has(tool) || READING_TOOLS.some((name) => name === ownTool))
    return { ...base, writeScope: 'nothing', paths: [] }
  if (names.patches?.has(tool)) {
    const patch =
      asText(input) ?? asText(args.command) ?? asText(args.patchText) ?? asText(args.input) ?? asText(args.patch) ?? ''
    const paths = patchPaths(patch)
    return {
      ...base,
      summary: clip(paths.slice(0, MAX_SUMMARY).join(', ')),
      ...writeScopeOf(paths, !isTruncated(patch))
    }
  }
  return { ...base, ...writeScopeOf(findPaths(args), ownTool !== null || names.writes.has(tool)) }
}

function writeScopeOf(named: readonly string[], writesOnlyNamed: boolean): Pick<ToolUse, 'writeScope' | 'paths'> {
  const paths = named.filter(isUsablePath).slice(0, MAX_PATHS)
  return {
    writeScope: writesOnlyNamed && paths.length > 0 && paths.length === named.length ? 'paths' : 'folder',
    paths
  }
}

/** Paths in the known arguments, and in lists of paths or of objects with paths. */
function findPaths(args: Fields, depth = 0): string[] {
  if (depth > MAX_INPUT_DEPTH) return []
  const found = new Set<string>()
  for (const [name, value] of Object.entries(args)) {
    if (PATH_ARGUMENTS.has(name) && asText(value)) found.add(value as string)
    else if (name === 'paths' || name === 'files' || name === 'edits') {
      for (const entry of asList(value)) {
        if (asText(entry)) found.add(entry as string)
        else for (const path of findPaths(asFields(entry), depth + 1)) found.add(path)
      }
    }
  }
  return [...found]
}

function summarize(tool: string, args: Fields): string {
  const command = asText(args.command) ?? asList(args.commands).filter(asText).join(' && ')
  return clip(command || findPaths(args).slice(0, MAX_SUMMARY).join(', ') || asText(args.description) || tool)
}

function clip(text: string): string {
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}…` : text
}

const PATCH_HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/gm

/** Paths as written: relative to the agent's working folder, sometimes absolute. A move names both its paths. */
function patchPaths(patch: string): string[] {
  return [...new Set(Array.from(patch.matchAll(PATCH_HEADER), ([, path]) => path ?? ''))]
}
