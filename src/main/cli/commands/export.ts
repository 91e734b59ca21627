/** `driftline export`: a run as a file for somebody else: report and patch, as Markdown, JSON or the bare patch. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { command } from '../command.ts'
import { currentFolder } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { exportAll } from './export-all.ts'
import { exportText } from './export-text.ts'

export const exportRun = command({
  name: 'export',
  usage: ['RUN [-o FILE]', '--all [-o FOLDER] [--secrets]'],
  summary: 'write a run as report and patch (.md, .json, or .patch), or everything as plain files',
  options: {
    output: { type: 'string', short: 'o', value: 'FILE', help: 'where to write (default: RUN.md here)' },
    all: { type: 'boolean', help: 'everything that was recorded of the folder, into a new folder' },
    secrets: { type: 'boolean', help: 'with --all: also files that look like they hold secrets' }
  },
  positionals: [0, 1],
  run: async (context, { values, positionals }) => {
    if ((values.all === true) === (positionals.length === 1))
      throw new DriftlineError('Usage', 'Name a run, or say --all for everything.', {})
    if (values.all) return exportAll(context, { output: values.output, secrets: values.secrets === true })
    const workspace = (await context.workspace()).id
    const run = positionals[0]!
    const exported = await context.call('export.run', { workspace, run })
    const name = values.output ?? `${run.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.md`
    const path = resolve(currentFolder(context.surroundings), name)
    try {
      // Without -o the name is ours, so a file already there is somebody's and stays.
      writeFileSync(path, exportText(path, exported), { flag: values.output === undefined ? 'wx' : 'w' })
    } catch (error) {
      throw writeFailure(path, error)
    }
    context.output.document({ path, title: exported.title })
    context.output.lines([escapeLine(path)])
    return 0
  }
})

function writeFailure(path: string, error: unknown): DriftlineError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (code === 'EEXIST') {
    return new DriftlineError('Refused', `${path} already exists and was left as it is. Name another file with -o.`, {
      path
    })
  }
  if (code === 'ENOSPC') {
    return new DriftlineError('DiskFull', `The disk is full: ${path} could not be written. The history is safe.`, {
      path
    })
  }
  return new DriftlineError(
    'Usage',
    `${path} could not be written (${code}). The history is safe; name another file with -o.`,
    {
      path
    }
  )
}
