/** What a call of a file tool is about to write, as far as its input says. Pure. */
import type { AgentId } from './agent-action.ts'
import { asFields, asList, asText, type Fields } from './payload.ts'
import { isTruncated } from './truncate-texts.ts'

interface Replacement {
  readonly from: string
  readonly to: string
  readonly all: boolean
}

/** One file: its whole text, texts to replace in order, or lines (deleted, added) of a patch. */
export type StatedEdit = { readonly path: string } & (
  | { readonly text: string }
  | { readonly replace: readonly Replacement[] }
  | { readonly lines: readonly (readonly [deleted: string, added: string])[] }
)

/** Where an agent's event has the input of the tool. */
function toolInput(agent: AgentId, payload: Fields): unknown {
  if (agent === 'cline') return asFields(payload.tool_call).input
  return agent === 'opencode' ? asFields(payload.output).args : payload.tool_input
}

/** Null if the input says something else, or is not whole. */
export function readStatedEdits(agent: AgentId, payload: unknown): StatedEdit[] | null {
  const input = toolInput(agent, asFields(payload))
  const args = asFields(input)
  const patch = [input, args.command, args.patchText, args.input, args.patch].map(asText).find(isPatch)
  if (patch) return isTruncated(patch) ? null : readPatch(patch)
  const path = asText(args.file_path) ?? asText(args.filePath) ?? asText(args.path) ?? asText(args.absolute_path)
  if (!path) return null
  const edits = asList(args.edits)
  const replace = (edits.length > 0 ? edits.map(asFields) : [args]).map(readReplacement)
  if (replace.every((each) => each !== null)) return [{ path, replace }]
  const text = asText(args.content) ?? (args.old_text === undefined ? asText(args.new_text) : null)
  // An insertion at a line.
  if (!text || isTruncated(text) || args.insert_line !== undefined) return null
  return [{ path, text }]
}

function readReplacement(args: Fields): Replacement | null {
  const from = asText(args.old_string) ?? asText(args.oldString) ?? asText(args.old_text)
  const to = [args.new_string, args.newString, args.new_text].find((text) => typeof text === 'string')
  if (from === null || to === undefined || isTruncated(from) || isTruncated(to)) return null
  return { from, to, all: args.replace_all === true || args.replaceAll === true }
}

/** The text after the replacements; null if one of them does not fit. */
export function replaceIn(text: string, replacements: readonly Replacement[]): string | null {
  let result = text
  for (const { from, to, all } of replacements) {
    const at = result.indexOf(from)
    if (at === -1) return null
    result = all ? result.replaceAll(from, () => to) : result.slice(0, at) + to + result.slice(at + from.length)
  }
  return result
}

function isPatch(text: string | null): text is string {
  return text?.startsWith('*** Begin Patch') === true
}

/** Null for a patch that also deletes or moves files. */
function readPatch(patch: string): StatedEdit[] | null {
  const edits: { path: string; lines: [string, string][] }[] = []
  let isInBlock = false
  for (const line of patch.split('\n')) {
    const [, kind, path] = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line) ?? []
    if (kind === 'Delete' || line.startsWith('*** Move to:')) return null
    if (path) edits.push({ path, lines: [] })
    const blocks = edits.at(-1)?.lines
    const isChange = !path && (line.startsWith('-') || line.startsWith('+'))
    if (blocks && isChange) {
      if (!isInBlock) blocks.push(['', ''])
      const block = blocks.at(-1) as [string, string]
      block[line.startsWith('-') ? 0 : 1] += `${line.slice(1)}\n`
    }
    isInBlock = isChange
  }
  return edits.length === 0 ? null : edits
}
