/** What a use of a tool may change, from its name and its input: the same rules for every agent. */
import { ownToolName, READING_TOOLS } from '../../../contract/tools.ts'
import type { ToolUse } from './agent-action.ts'
import { patchPaths } from './patch-paths.ts'
import { asFields, asList, asText, type Fields } from './payload.ts'
import { isTruncated } from './truncate-texts.ts'

export interface ToolNames {
  /** Tools that change nothing in the folder. */
  readonly readOnly: ReadonlySet<string>
  /** Tools that write the paths they name and nothing else. */
  readonly writes: ReadonlySet<string>
  /** Tools whose input holds a patch. */
  readonly patches?: ReadonlySet<string>
}

/** Names of arguments that hold paths. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(
  'path file_path filePath filepath file notebook_path absolute_path source destination src dst from to old_path new_path oldPath newPath target_file targetFile'.split(
    ' '
  )
)
const MAX_SUMMARY = 500
/** Longer or deeper than anything a system opens: looking for it would only keep the agent waiting. */
const MAX_PATH = 4000
const MAX_PATH_DEPTH = 256
const MAX_PATHS = 5000
const MAX_INPUT_DEPTH = 3

/** A path that can be looked for; a tool that names another one, or too many, may have changed anything. */
export function isUsablePath(path: string): boolean {
  return (
    path.length <= MAX_PATH && !path.includes('\0') && path.split(/[/\\]/, MAX_PATH_DEPTH + 1).length <= MAX_PATH_DEPTH
  )
}

/** An unknown tool may do anything, so the whole folder is its reach; paths it names are its own. */
export function readToolUse(call: string | null, tool: string, input: unknown, names: ToolNames): ToolUse {
  const args = asFields(input)
  const base = { call, tool, summary: summarize(tool, args) }
  const ours = ownToolName(tool)
  if (names.readOnly.has(tool) || isReading(ours)) return { ...base, writeScope: 'nothing', paths: [] }
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
  return { ...base, ...writeScopeOf(findPaths(args), ours !== null || names.writes.has(tool)) }
}

function writeScopeOf(named: readonly string[], writesThese: boolean): Pick<ToolUse, 'writeScope' | 'paths'> {
  const paths = named.filter(isUsablePath).slice(0, MAX_PATHS)
  return { writeScope: writesThese && paths.length > 0 && paths.length === named.length ? 'paths' : 'folder', paths }
}

function isReading(ours: string | null): boolean {
  return (READING_TOOLS as readonly (string | null)[]).includes(ours)
}

/** In lists, too: of paths, or of things with a path. */
function findPaths(args: Fields, depth = 0): string[] {
  if (depth > MAX_INPUT_DEPTH) return []
  const found = new Set<string>()
  for (const [name, value] of Object.entries(args)) {
    if (PATH_ARGUMENTS.has(name) && asText(value)) found.add(value as string)
    else if (name === 'paths' || name === 'files' || name === 'edits') {
      for (const one of asList(value)) {
        if (asText(one)) found.add(one as string)
        else for (const path of findPaths(asFields(one), depth + 1)) found.add(path)
      }
    }
  }
  return [...found]
}

function summarize(tool: string, args: Fields): string {
  const command = asText(args.command) ?? asList(args.commands).filter(asText).join(' && ')
  return clip(command || findPaths(args).slice(0, MAX_SUMMARY).join(', ') || asText(args.description) || tool)
}

function clip(words: string): string {
  return words.length > MAX_SUMMARY ? `${words.slice(0, MAX_SUMMARY)}…` : words
}
