/** Electron's fuses, set on a stand-in that holds what Electron's binary holds: the fuse wire. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses'
import { expect, test } from 'vitest'
import { FUSES } from '../../packaging/contents.mjs'
import { tempFolder } from '../support/tmp.ts'

/** What marks the wire in the binary: https://www.electronjs.org/docs/latest/tutorial/fuses */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** Fuses by the packager's name and by their place in the wire. */
const PLACES: Readonly<Record<string, FuseV1Options>> = {
  runAsNode: FuseV1Options.RunAsNode,
  enableCookieEncryption: FuseV1Options.EnableCookieEncryption,
  enableNodeOptionsEnvironmentVariable: FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  enableNodeCliInspectArguments: FuseV1Options.EnableNodeCliInspectArguments,
  enableEmbeddedAsarIntegrityValidation: FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  onlyLoadAppFromAsar: FuseV1Options.OnlyLoadAppFromAsar,
  loadBrowserProcessSpecificV8Snapshot: FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
  grantFileProtocolExtraPrivileges: FuseV1Options.GrantFileProtocolExtraPrivileges
}

test('every fuse of the table is set and reads back; no other one permits foreign code', async () => {
  using place = tempFolder()
  const binary = join(place.path, 'driftline-app')
  const wire = Buffer.concat([Buffer.from([1, 8]), Buffer.from('1'.repeat(8))])
  writeFileSync(binary, Buffer.concat([Buffer.alloc(64, 7), Buffer.from(SENTINEL), wire, Buffer.alloc(64, 7)]))
  const options = Object.fromEntries(Object.entries(FUSES).map(([name, on]) => [PLACES[name] as FuseV1Options, on]))
  await flipFuses(binary, { version: FuseVersion.V1, ...options })
  const set = await getCurrentFuseWire(binary)
  for (const [name, on] of Object.entries(FUSES))
    expect([name, set[PLACES[name] as FuseV1Options]]).toEqual([name, on ? FuseState.ENABLE : FuseState.DISABLE])
  expect(FUSES).toMatchObject({ enableNodeOptionsEnvironmentVariable: false, onlyLoadAppFromAsar: true })
  expect(readFileSync(binary).includes(SENTINEL)).toBe(true)
})
