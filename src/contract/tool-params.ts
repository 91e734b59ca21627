/** What the methods about file tools take (params.ts). */
import { z } from 'zod'
import { content, path, processId, sessionId } from './param-types.ts'

/** One use of a file tool by an agent. Paths are relative to the workspace, or absolute inside it. */
export const toolUse = () =>
  z.discriminatedUnion('tool', [
    z.strictObject({
      tool: z.literal('read_file'),
      path,
      /** First line, from 1. */
      from: z.number().int().min(1).exactOptional(),
      lines: z.number().int().min(1).exactOptional()
    }),
    z.strictObject({ tool: z.literal('write_file'), path, content }),
    z.strictObject({ tool: z.literal('edit_file'), path, old: content, new: content }),
    z.strictObject({
      tool: z.enum(['copy_file', 'move_file']),
      source: path,
      destination: path,
      overwrite: z.boolean().exactOptional()
    }),
    z.strictObject({ tool: z.enum(['delete_file', 'create_dir']), path }),
    /** `force`: with everything in it. */
    z.strictObject({ tool: z.literal('remove_dir'), path, force: z.boolean().exactOptional() })
  ])
export type ToolUse = z.infer<ReturnType<typeof toolUse>>

/** Who uses the tools: one connection of one client. `name` is what people read. */
export const toolClient = () =>
  z.strictObject({ session: sessionId, name: z.string().min(1).max(100), process: processId })
export type ToolClient = z.infer<ReturnType<typeof toolClient>>
