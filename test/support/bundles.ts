/** Bundles in tests: made by the engine, taken apart into lines, and put together again with changes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Result } from '../../src/contract/api.ts'
import type { Engine } from '../../src/main/engine/engine.ts'

// biome-ignore lint/suspicious/noExplicitAny: lines are taken apart and changed freely.
export type Line = any

/** Makes a bundle of a run and writes it into a file. */
export async function makeBundle(
  engine: Engine,
  file: string,
  params: {
    readonly workspace: string
    readonly run: string
    readonly secrets?: boolean
    readonly conversation?: boolean
  }
): Promise<Result<'bundle.make'>> {
  const made = await engine.call('bundle.make', params)
  const parts: Buffer[] = []
  for (let at = 0, end = false; !end; ) {
    const piece = await engine.call('bundle.fetch', { bundle: made.bundle, at })
    const bytes = Buffer.from(piece.base64, 'base64')
    parts.push(bytes)
    at += bytes.length
    end = piece.end
  }
  await engine.call('bundle.drop', { bundle: made.bundle })
  writeFileSync(file, Buffer.concat(parts))
  return made
}

export function linesOf(bundle: Buffer): Line[] {
  return gunzipSync(bundle)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** With the number of its lines in the last one, as a sender who knows the format would write it. */
export function bundleOf(lines: readonly Line[]): Buffer {
  const counted = lines.map((line) => (line.end ? { end: { ...line.end, lines: lines.length - 1 } } : line))
  return gzipSync(counted.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** Writes bytes as a bundle's file and returns its path. */
export function bundleFile(folder: string, name: string, bytes: Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return file
}
