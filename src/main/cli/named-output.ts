/** Where a command writes what a person exports: the file that an option names, or standard output for `-`. */
import { resolve } from 'node:path'
import { DriftlineError } from '../../contract/errors.ts'
import { type Context, currentFolder } from './context.ts'
import { exportFailure } from './export-failure.ts'
import { type Pieces, writeExport } from './write-export.ts'

/** The name that means standard output; a file of this name is `./-`. */
const STANDARD_OUTPUT = '-'

/** Whether the value of an option means standard output. */
export const isStandardOutput = (name: string | undefined): boolean => name === STANDARD_OUTPUT

/** The file that an option names; null for standard output. */
export function namedFile({ invocation }: Pick<Context, 'invocation'>, name: string): string | null {
  return isStandardOutput(name) ? null : resolve(currentFolder(invocation), name)
}

/** Writes to a file, or to standard output for null. Fails with Refused, DiskFull, Usage. */
export async function writeNamed(
  { output }: Pick<Context, 'output'>,
  path: string | null,
  pieces: Pieces,
  options: { readonly replace?: boolean } = {}
): Promise<void> {
  if (path === null) return printPieces(output, pieces)
  try {
    await writeExport(path, pieces, options)
  } catch (error) {
    throw exportFailure(error, 'file', path)
  }
}

/** Reads on only after what was read has left the process, and not once its reader is gone. */
async function printPieces(output: Context['output'], pieces: Pieces): Promise<void> {
  for await (const piece of pieces) {
    output.write(piece)
    await output.flush()
    if (output.isClosed()) return
  }
}

/** Refuses an export that would mix with a document on standard output. Throws `Usage`. */
export function refuseBesideDocument({ output }: Pick<Context, 'output'>, option: string): void {
  if (!output.json) return
  const message = `With --json, standard output has one document: ${option} needs the name of a file. Nothing was written.`
  throw new DriftlineError('Usage', message, {})
}
