/** Bundles on the command line: `export RUN --bundle FILE`, and `apply FILE`. `open FILE` is in open.ts. */
import { closeSync, openSync, readSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { MadeBundle } from '../../../contract/bundle.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { bundleContentsText, leftOutText } from '../../../contract/words/bundles.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { command } from '../command.ts'
import { type Context, currentFolder } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { namedFile, refuseBesideDocument, writeNamed } from '../named-output.ts'
import { planAndApply, RESOLUTION_OPTIONS, RESOLUTION_USAGE } from '../plan-and-apply.ts'

interface BundleOptions {
  /** `-` is standard output. */
  readonly file: string
  readonly secrets: boolean
  /** Says what the bundle would contain, and writes nothing. */
  readonly dryRun: boolean
}

export async function exportBundle(context: Context, run: string, options: BundleOptions): Promise<number> {
  const { call, ask, output } = context
  const path = options.dryRun ? null : namedFile(context, options.file)
  const isPrinted = path === null && !options.dryRun
  if (isPrinted) refuseMixedBundle(output)
  output.progress('Collecting the run')
  const made = await ask('bundle.make', { run, secrets: options.secrets })
  try {
    if (!options.dryRun) await writeNamed(context, path, bundlePieces(context, made.bundle))
  } finally {
    output.progress('')
    await call('bundle.drop', { bundle: made.bundle })
  }
  const lines = contentLines(made, options.dryRun)
  if (isPrinted) {
    output.note(lines.join('\n'))
    return 0
  }
  const { bundle: _, ...contents } = made
  return output.print({ path, ...contents }, path === null ? lines : [...lines, escapeLine(path)])
}

function refuseMixedBundle(output: Context['output']): void {
  refuseBesideDocument({ output }, '--bundle')
  if (!output.isTerminal) return
  const message = 'A bundle is not text. Nothing was written. Redirect standard output, or name a file with --bundle.'
  throw new DriftlineError('Usage', message, {})
}

/** What the file holds is fetched in pieces, since the recorder may be on another computer. */
async function* bundlePieces({ call }: Context, bundle: string): AsyncGenerator<Buffer> {
  for (let at = 0, end = false; !end; ) {
    const piece = await call('bundle.fetch', { bundle, at })
    const bytes = Buffer.from(piece.base64, 'base64')
    yield bytes
    at += bytes.length
    end = piece.end
  }
}

const MOST_NAMED = 3

function contentLines(made: MadeBundle, dryRun: boolean): string[] {
  const left = leftOutText({ ...made, hidden: made.hidden.map(escapeLine) }, MOST_NAMED)
  return [
    ...(dryRun ? ['Nothing was written.'] : []),
    bundleContentsText(made),
    ...(left === '' ? [] : [`Left out because of possible secrets: ${left}. --with-secrets includes them.`])
  ]
}

/** Opens a review of the bundle in a file of this computer. */
export async function openBundle({ call, host }: Context, file: string): Promise<Workspace> {
  return (await call('bundle.open', host === null ? { file } : await upload({ call }, file))).workspace
}

/** Sends the file to the recorder of a host. */
async function upload({ call }: Pick<Context, 'call'>, file: string): Promise<{ upload: string; name: string }> {
  const handle = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(1024 * 1024)
    let id: string | undefined
    for (let at = 0, read = -1; read !== 0; at += read) {
      read = readSync(handle, buffer, 0, buffer.length, at)
      const piece = { at, base64: buffer.toString('base64', 0, read) }
      if (read > 0 || id === undefined)
        id = (await call('bundle.upload', { ...(id && { upload: id }), ...piece })).upload
    }
    return { upload: id ?? '', name: basename(file) }
  } finally {
    closeSync(handle)
  }
}

export const apply = command({
  name: 'apply',
  usage: [`FILE [PATH…] ${RESOLUTION_USAGE}`],
  summary: 'apply the changes of a bundle to the recorded folder',
  options: RESOLUTION_OPTIONS,
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals: [file = '', ...typed] }) => {
    if (values['when-turn-ends'] === true)
      throw new DriftlineError('Usage', 'A bundle cannot wait for the end of a turn. Nothing was written.', {})
    const paths = await context.paths(typed)
    const { id: bundle } = await openBundle(context, resolve(currentFolder(context.invocation), file))
    try {
      return await planAndApply(context, { kind: 'apply', bundle, paths }, values, values['on-conflict'])
    } finally {
      await context.call('bundle.close', { bundle })
    }
  }
})
