/** What a use of a tool may change, from its name and its input: the same rules for every agent. */
import { READING_TOOLS, toolNamed } from '../../../contract/tools.ts'
import { type Fields, fields, list, type ToolUse, text } from './event.ts'
import { patchPaths } from './patch-paths.ts'
import { isShortened } from './shortened.ts'

export interface ToolNames {
  /** Tools that change nothing in the folder. */
  readonly harmless: ReadonlySet<string>
  /** Tools that write the paths they name and nothing else. */
  readonly writes: ReadonlySet<string>
  /** Tools whose input holds a patch. */
  readonly patches?: ReadonlySet<string>
}

/** Names of arguments that hold paths. */
const PATH_NAMES: ReadonlySet<string> = new Set(
  'path file_path filePath filepath file notebook_path absolute_path source destination src dst from to old_path new_path oldPath newPath target_file targetFile'.split(
    ' '
  )
)
const LONGEST_SUMMARY = 500
/** Longer or deeper than anything a system opens: looking for it would only keep the agent waiting. */
const LONGEST_PATH = 4000
const DEEPEST = 256
const MOST_PATHS = 5000
const DEEPEST_INPUT = 3

/** A path that can be looked for; a tool that names another one, or too many, may have changed anything. */
export function isNameable(path: string): boolean {
  return path.length <= LONGEST_PATH && !path.includes('\0') && path.split(/[/\\]/, DEEPEST + 1).length <= DEEPEST
}

/** An unknown tool may do anything, so the whole folder is its reach; paths it names are its own. */
export function toolUse(call: string | null, tool: string, input: unknown, names: ToolNames): ToolUse {
  const args = fields(input)
  const base = { call, tool, summary: summaryOf(tool, args) }
  const ours = toolNamed(tool)
  if (names.harmless.has(tool) || isReading(ours)) return { ...base, reach: 'nothing', paths: [] }
  if (names.patches?.has(tool)) {
    const patch =
      text(input) ?? text(args.command) ?? text(args.patchText) ?? text(args.input) ?? text(args.patch) ?? ''
    const paths = patchPaths(patch)
    return {
      ...base,
      summary: clip(paths.slice(0, LONGEST_SUMMARY).join(', ')),
      ...reachOf(paths, !isShortened(patch))
    }
  }
  return { ...base, ...reachOf(pathsIn(args), ours !== null || names.writes.has(tool)) }
}

function reachOf(named: readonly string[], writesThese: boolean): Pick<ToolUse, 'reach' | 'paths'> {
  const paths = named.filter(isNameable).slice(0, MOST_PATHS)
  return { reach: writesThese && paths.length > 0 && paths.length === named.length ? 'paths' : 'folder', paths }
}

function isReading(ours: string | null): boolean {
  return (READING_TOOLS as readonly (string | null)[]).includes(ours)
}

/** In lists, too: of paths, or of things with a path. */
function pathsIn(args: Fields, depth = 0): string[] {
  if (depth > DEEPEST_INPUT) return []
  const found = new Set<string>()
  for (const [name, value] of Object.entries(args)) {
    if (PATH_NAMES.has(name) && text(value)) found.add(value as string)
    else if (name === 'paths' || name === 'files' || name === 'edits') {
      for (const one of list(value)) {
        if (text(one)) found.add(one as string)
        else for (const path of pathsIn(fields(one), depth + 1)) found.add(path)
      }
    }
  }
  return [...found]
}

function summaryOf(tool: string, args: Fields): string {
  const command = text(args.command) ?? list(args.commands).filter(text).join(' && ')
  return clip(command || pathsIn(args).slice(0, LONGEST_SUMMARY).join(', ') || text(args.description) || tool)
}

function clip(words: string): string {
  return words.length > LONGEST_SUMMARY ? `${words.slice(0, LONGEST_SUMMARY)}…` : words
}
