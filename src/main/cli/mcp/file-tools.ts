/** The file tools of the MCP server: names, descriptions for the model, schemas and answers. */
import { z } from 'zod'
import type { ToolAnswer, ToolUse } from '../../../contract/tools.ts'
import { toolAnswerText } from '../../../contract/words/tool-answers.ts'
import type { Given } from '../invocation.ts'
import type { McpSession } from './session.ts'
import { ADDITIVE, DESTRUCTIVE, READ_ONLY, type Tool, tool } from './tool.ts'

const path = z.string().describe('Path of the file: relative to the project folder, or absolute within it')
const folder = z.string().describe('Path of the folder: relative to the project folder, or absolute within it')

const changed = z.object({
  paths: z.array(z.string()).describe('Relative to the project folder; source and destination for a copy or move'),
  bytes: z.number(),
  overwritten: z.boolean(),
  noop: z.boolean().describe('Nothing needed to change'),
  run: z.string().nullable().describe('The run that contains the change; null when nothing changed'),
  edits: z.array(z.number()).describe('Sequence numbers of the change in the history'),
  message: z.string()
})
const edited = changed.extend({
  found: z
    .object({ by: z.string(), similarity: z.number(), first_line: z.number(), last_line: z.number() })
    .optional()
    .describe('How and where the text was found')
})
const read = z.object({
  path: z.string(),
  bytes: z.number(),
  secret: z.boolean().describe('The file may contain credentials, so its content is withheld'),
  message: z.string(),
  content: z.string().optional(),
  first_line: z.number().optional(),
  last_line: z.number().optional(),
  lines: z.number().optional()
})

export const FILE_TOOLS: readonly Tool[] = [
  tool({
    name: 'read_file',
    title: 'Read a file',
    description: 'Read a text file, unchanged, at most 2000 lines at a time.',
    hints: READ_ONLY,
    input: z.strictObject({
      path,
      from_line: z.number().int().min(1).optional().describe('First line to read, counted from 1'),
      lines: z.number().int().min(1).optional().describe('Number of lines')
    }),
    output: read,
    answer: async (session, { path, from_line, lines }) => {
      const answer = await session.use({ tool: 'read_file', path, from: from_line, lines }, null)
      const { text, bytes, secret } = answer
      const message = toolAnswerText(answer)
      return {
        text: text ? text.content : message,
        data: {
          path: answer.paths[0] as string,
          bytes,
          secret,
          message,
          ...(text && {
            content: text.content,
            first_line: text.firstLine,
            last_line: text.lastLine,
            lines: text.lines
          })
        }
      }
    }
  }),
  tool({
    name: 'write_file',
    title: 'Write a file',
    description:
      'Create or overwrite a whole file. Missing folders are created. To change part of a file, use edit_file.',
    hints: DESTRUCTIVE,
    input: z.strictObject({ path, content: z.string() }),
    output: changed,
    answer: (session, { path, content }, call) => change(session, { tool: 'write_file', path, content }, call)
  }),
  tool({
    name: 'edit_file',
    title: 'Edit a file',
    description:
      'Replace one passage of a text file. old_string must be the exact passage, with enough lines to be unique in the file. Small differences in whitespace, indentation and quotes are tolerated; ambiguous matches are refused with the nearest match. The line endings and encoding of the file are kept.',
    hints: DESTRUCTIVE,
    input: z.strictObject({
      path,
      old_string: z.string().describe('The passage to replace'),
      new_string: z.string().describe('The replacement text')
    }),
    output: edited,
    answer: async (session, { path, old_string, new_string }, call) => {
      const answer = await session.use({ tool: 'edit_file', path, old: old_string, new: new_string }, call)
      if (!answer.found) return recordedReply(answer)
      const { rung, similarity, firstLine, lastLine } = answer.found
      const found = { by: rung, similarity, first_line: firstLine, last_line: lastLine }
      const { text, data } = recordedReply(answer)
      return { text, data: { ...data, found } }
    }
  }),
  transfer('copy_file', 'Copy a file', 'Copy a file.'),
  transfer('move_file', 'Move or rename a file', 'Move or rename a file.'),
  tool({
    name: 'delete_file',
    title: 'Delete a file',
    description: 'Delete a file or a symbolic link.',
    hints: DESTRUCTIVE,
    input: z.strictObject({ path }),
    output: changed,
    answer: (session, { path }, call) => change(session, { tool: 'delete_file', path }, call)
  }),
  tool({
    name: 'create_dir',
    title: 'Create a folder',
    description: 'Create a folder and its missing parent folders.',
    hints: { ...ADDITIVE, idempotentHint: true },
    input: z.strictObject({ path: folder }),
    output: changed,
    answer: (session, { path }, call) => change(session, { tool: 'create_dir', path }, call)
  }),
  tool({
    name: 'remove_dir',
    title: 'Remove a folder',
    description: 'Remove an empty folder; with force, also a folder with contents.',
    hints: DESTRUCTIVE,
    input: z.strictObject({ path: folder, force: z.boolean().optional() }),
    output: changed,
    answer: (session, { path, force }, call) => change(session, { tool: 'remove_dir', path, force }, call)
  })
]

function transfer(name: 'copy_file' | 'move_file', title: string, purpose: string): Tool {
  return tool({
    name,
    title,
    description: `${purpose} Missing folders are created. An existing destination is replaced only with overwrite.`,
    hints: { ...DESTRUCTIVE, idempotentHint: false },
    input: z.strictObject({ source: path, destination: path, overwrite: z.boolean().optional() }),
    output: changed,
    answer: (session, args, call) => change(session, { tool: name, ...args }, call)
  })
}

async function change(session: McpSession, use: Given<ToolUse>, call: string | null) {
  return recordedReply(await session.use(use, call))
}

function recordedReply(answer: ToolAnswer): { text: string; data: z.infer<typeof changed> } {
  const { paths, bytes, overwritten, noop, run, edits } = answer
  const message = toolAnswerText(answer)
  return {
    text: noop ? `${message} Nothing was changed.` : `${message} Recorded in ${run}; the user can undo it.`,
    data: { paths: [...paths], bytes, overwritten, noop, run, edits: [...edits], message }
  }
}
