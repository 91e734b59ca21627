/** `driftline export`: a run as a file to share: report and patch as Markdown or JSON, or the patch alone. */
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
  summary: 'export a run as report and patch (.md, .json or .patch), or the whole history as plain files',
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'file to write (default: RUN.md in the current folder)'
    },
    all: { type: 'boolean', help: 'export the whole history into a new folder' },
    secrets: { type: 'boolean', help: 'with --all: include files that may contain secrets' }
  },
  positionals: [0, 1],
  run: async (context, { values, positionals }) => {
    if ((values.all === true) === (positionals.length === 1))
      throw new DriftlineError('Usage', 'Name a run, or use --all for the whole history.', {})
    if (values.all) return exportAll(context, { output: values.output, secrets: values.secrets === true })
    const workspace = (await context.workspace()).id
    const run = positionals[0]!
    const exported = await context.call('export.run', { workspace, run })
    const name = values.output ?? `${run.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.md`
    const path = resolve(currentFolder(context.invocation), name)
    try {
      // Without -o the name was not chosen by the user, so an existing file must not be replaced.
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
    return new DriftlineError('Refused', `${path} already exists and was not changed. Name another file with -o.`, {
      path
    })
  }
  if (code === 'ENOSPC') {
    return new DriftlineError('DiskFull', `The disk is full. Couldn’t write ${path}. The history is safe.`, {
      path
    })
  }
  return new DriftlineError(
    'Usage',
    `Couldn’t write ${path} (${code}). The history is safe. Name another file with -o.`,
    {
      path
    }
  )
}
