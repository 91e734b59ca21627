/** What an installed Driftline holds: the built app, one native file, the licences, and nothing of who built it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FUSES, filesFor, SIZE_BUDGET } from '../../packaging/contents.mjs'
import config from '../../packaging/electron-builder.mjs'
import { bundledPackages } from '../../packaging/notices.mjs'
import { packedFiles } from '../../packaging/stage.mjs'
import { type TempFolder, tempFolder } from '../support/tmp.ts'
import { packBuild, ROOT, SYSTEM } from './installed-app.ts'

let place: TempFolder
let asar: string
let files: string[]

beforeAll(async () => {
  place = tempFolder()
  asar = await packBuild(place.path)
  files = listPackage(asar, { isPack: false })
    .map((name) => name.slice(1).replaceAll('\\', '/'))
    .filter((name) => !('files' in statFile(asar, name)))
})
afterAll(() => place[Symbol.dispose]())

const read = (name: string): Buffer => extractFile(asar, name)

test('the package contains the built app and its native package, and no sources, maps, tests or tools', () => {
  const expected = [
    /^package\.json$/,
    /^out\/notices\.txt$/,
    /^out\/main\/[\w-]+\.c?js$/,
    /^out\/preload\/index\.cjs$/,
    /^out\/renderer\/(index\.html|theme\.js|assets\/[\w.-]+\.(js|css|ttf|svg)|[\w.-]+\.(svg|png|ico))$/,
    /^packaging\/icons\/(32x32|tray[\w@-]*)\.png$/,
    /^node_modules\/better-sqlite3\/(package\.json|LICENSE|lib\/[\w/-]+\.js)$/,
    new RegExp(`^node_modules/better-sqlite3/prebuilds/${SYSTEM}\\.node$`)
  ]
  expect(files.filter((name) => !expected.some((pattern) => pattern.test(name)))).toEqual([])
  for (const program of ['index', 'serve', 'ingest-child', 'ingest-worker'])
    expect(files).toContain(`out/main/${program}.js`)
  for (const program of [
    'cli',
    'hook',
    'command',
    'cli-engine',
    'engine-worker',
    'recorder',
    'recorder-host',
    'file-helper'
  ])
    expect(files).toContain(`out/main/${program}.cjs`)
  expect(files).toContain('out/renderer/index.html')
})

test('it contains only the native file of this system, outside of app.asar', () => {
  const native = files.filter((name) => name.endsWith('.node'))
  expect(native).toEqual([`node_modules/better-sqlite3/prebuilds/${SYSTEM}.node`])
  expect(statFile(asar, native[0] as string)).toMatchObject({ unpacked: true })
  expect(statSync(join(`${asar}.unpacked`, native[0] as string)).size).toBeGreaterThan(1_000_000)
})

test.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'])(
  'a native file exists for %s',
  (system) => {
    expect(packedFiles(ROOT, system).filter((name) => name.endsWith('.node'))).toHaveLength(1)
  }
)

test('app.asar stays below its budget', () => {
  expect(statSync(asar).size).toBeLessThan(SIZE_BUDGET)
})

test('nothing in it names the build machine or its user, or resembles a key', () => {
  const telling = [ROOT, homedir(), join('/home', userInfo().username)].filter((path) => path.length > '/root'.length)
  const keys = /-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|npm_[A-Za-z0-9]{36}/
  const found = files
    .filter((name) => !name.endsWith('.node'))
    .filter((name) => {
      const text = read(name).toString('latin1')
      return keys.test(text) || telling.some((path) => text.includes(path))
    })
  expect(found).toEqual([])
})

test('the licence of every bundled package is included', () => {
  const notices = read('out/notices.txt').toString('utf8')
  const named = bundledPackages(ROOT)
  expect(named).toEqual(expect.arrayContaining(['better-sqlite3', 'monaco-editor', 'react', 'zod', 'ws']))
  for (const name of named) expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
})

test('the pages load nothing from other origins', () => {
  const page = read('out/renderer/index.html').toString('utf8')
  expect([...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1])).not.toContainEqual(
    expect.stringMatching(/^(https?:)?\/\//)
  )
})

test('the packager uses the files and fuses checked here, and every file it names exists', () => {
  expect(config.files).toEqual(expect.arrayContaining(filesFor('$' + '{platform}-$' + '{arch}')))
  expect(config.electronFuses).toBe(FUSES)
  const named = [
    config.linux.icon,
    config.mac.icon,
    config.win.icon,
    config.nsis.include,
    config.deb.afterInstall,
    config.deb.afterRemove,
    ...[config.linux, config.mac, config.win].flatMap((system) => system.extraFiles.map((file) => file.from))
  ]
  expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
})

test('the icon exists in every size a system requests', () => {
  const sizes = readdirSync(join(ROOT, 'packaging/icons')).filter((name) => /^\d+x\d+\.png$/.test(name))
  for (const name of sizes) {
    const png = readFileSync(join(ROOT, 'packaging/icons', name))
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}.png`).toBe(name)
  }
  expect(sizes.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)).toEqual([
    16, 24, 32, 48, 64, 128, 256, 512, 1024
  ])
  const ico = readFileSync(join(ROOT, 'packaging/icons/driftline.ico'))
  expect(ico.readUInt16LE(4)).toBe(7)
  const icns = readFileSync(join(ROOT, 'packaging/icons/driftline.icns'))
  expect(icns.readUInt32BE(4)).toBe(icns.length)
})
