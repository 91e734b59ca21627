/**
 * The launcher for POSIX shells in each form of installation. Node plays the part of Electron and AppImages. That of
 * Windows: windows-hooks.test.ts.
 *
 * @module-tag posix
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quoteShell } from '../../../../src/contract/words/shell.ts'
import { launcherText } from '../../../../src/main/engine/agents/connect/launcher.ts'
import type { LauncherTarget } from '../../../../src/main/engine/agents/connect/launcher-target.ts'
import { tempFolder } from '../../../support/tmp.ts'

const TELL =
  'console.log(JSON.stringify([__KIND__, process.env.ELECTRON_RUN_AS_NODE ?? "", process.env.DRIFTLINE_DATA, ...process.argv.slice(2)]))'

/** Programs that print their arguments, in `folder`. */
function programs(folder: string): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'cli.cjs'), TELL.replace('__KIND__', '"cli"'))
  writeFileSync(join(folder, 'hook.cjs'), TELL.replace('__KIND__', '"hook"'))
  return join(folder, 'cli.cjs')
}

function launch(
  place: string,
  started: Partial<LauncherTarget> & Pick<LauncherTarget, 'cli'>,
  args: readonly string[]
): unknown {
  const file = join(place, 'launcher')
  const data = join(place, 'da"ta $x')
  const text = launcherText(data, { node: process.execPath, isElectron: false, appImage: null, ...started })
  writeFileSync(file, text, { mode: 0o755 })
  const { DRIFTLINE_DATA: _, ...env } = process.env
  const output = execFileSync(file, args, { encoding: 'utf8', env })
  return output === '' ? '' : (JSON.parse(output) as string[]).map((word) => word.replace(data, 'DATA'))
}

test('[GW-1] it becomes the hook or the command line, with unchanged arguments', () => {
  using place = tempFolder()
  const cli = programs(join(place.path, "it's"))
  expect(launch(place.path, { cli }, ['hook', 'codex', 'Stop'])).toEqual(['hook', '', 'DATA', 'hook', 'codex', 'Stop'])
  expect(launch(place.path, { cli }, ['diff', 'a b', '$x'])).toEqual(['cli', '', 'DATA', 'diff', 'a b', '$x'])
})

test('[GW-1] it starts programs inside an archive, which a shell cannot read', () => {
  using place = tempFolder()
  const cli = programs(join(place.path, 'resources/app.asar/out/main'))
  const archive = join(place.path, 'resources/app.asar')
  expect(launcherText('/data', { node: '/app', isElectron: true, appImage: null, cli })).toContain(
    `[ -f ${quoteShell(archive)} ]`
  )
  // The archive here is a folder, so a file replaces it in the shell's test.
  const text = launcherText('/data', { node: process.execPath, isElectron: true, appImage: null, cli })
  const file = join(place.path, 'launcher')
  writeFileSync(file, text.replace(`[ -f ${quoteShell(archive)} ]`, `[ -d ${quoteShell(archive)} ]`), { mode: 0o755 })
  const output = JSON.parse(execFileSync(file, ['hook', 'x', 'y'], { encoding: 'utf8' })) as string[]
  expect([output[0], output[1], ...output.slice(3)]).toEqual(['hook', '1', 'hook', 'x', 'y'])
})

test('[GW-1] an AppImage is called by its own path and finds its inside where it is mounted', () => {
  using place = tempFolder()
  const inside = join(place.path, 'mounted')
  const cli = programs(join(inside, 'resources/app.asar/out/main'))
  const appImage = join(place.path, 'Drift line.AppImage')
  writeFileSync(appImage, `#!/bin/sh\nAPPDIR=${quoteShell(inside)} exec ${quoteShell(process.execPath)} "$@"\n`, {
    mode: 0o755
  })
  const started = { cli, isElectron: true, appImage }
  expect(launch(place.path, started, ['hook', 'x'])).toEqual(['hook', '1', 'DATA', 'hook', 'x'])
  expect(launch(place.path, started, ['status', '--json'])).toEqual(['cli', '1', 'DATA', 'status', '--json'])
  rmSync(appImage)
  expect(launch(place.path, started, ['hook', 'x']), 'a missing program: silent success').toBe('')
})
