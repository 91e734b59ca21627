import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DriftlineError } from '../../../../src/contract/errors.ts'
import { checkFolder, type FolderCheckContext } from '../../../../src/main/engine/workspaces/check-folder.ts'

let base: string
let facts: FolderCheckContext
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-check-folder-')))
  for (const folder of ['home/me/code/shop/api/v1', 'home/me/.local/share/driftline/w'])
    mkdirSync(join(base, folder), { recursive: true })
  facts = { home: at('home/me'), dataDir: at('home/me/.local/share/driftline') }
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const at = (path: string) => join(base, path)
const check = (path: string, more: Partial<FolderCheckContext> = {}) => checkFolder(path, { ...facts, ...more })
async function refusal(path: string, more: Partial<FolderCheckContext> = {}) {
  const error = await check(path, more).catch((thrown: unknown) => thrown)
  if (!(error instanceof DriftlineError)) throw new Error(`not refused: ${path}`)
  expect(error.message).toMatch(/^[A-Z/].*\.$/)
  return error
}

describe('a folder to record', () => {
  it('is named by its real path, through links', { tags: ['links'] }, async () => {
    symlinkSync(at('home/me/code'), at('short'))
    expect(await check(at('short/shop'))).toBe(at('home/me/code/shop'))
    expect(await check(`${at('home/me/code')}/../code/shop/`)).toBe(at('home/me/code/shop'))
  })

  it('is not a file; the folder to use instead is named', async () => {
    writeFileSync(at('home/me/code/a.txt'), '')
    const error = await refusal(at('home/me/code/a.txt'))
    expect([error.code, error.message]).toEqual(['NotAFolder', 'That is a file. Choose the folder that contains it.'])
    expect(error.data.parent).toBe(at('home/me/code'))
  })

  it('must exist', { tags: ['links'] }, async () => {
    symlinkSync(at('nowhere'), at('dangling'))
    for (const path of ['missing', 'missing/deeper', 'dangling'])
      expect((await refusal(at(path))).code).toBe('FolderMissing')
  })

  it('must be an absolute path', async () => {
    for (const path of ['', 'code', './code', '/a\0b']) expect((await refusal(path)).code).toBe('Usage')
  })

  it('must be readable', { tags: ['not-root'] }, async () => {
    chmodSync(at('home/me/code'), 0o000)
    expect((await refusal(at('home/me/code'))).code).toBe('FolderUnreadable')
    chmodSync(at('home/me/code'), 0o700)
  })

  it('reports why it cannot be read', { tags: ['links'] }, async () => {
    symlinkSync('loop', at('loop'))
    expect((await refusal(at('loop'))).code).toBe('FolderUnreadable')
  })

  it('is never our own data, nor a folder around it', async () => {
    for (const path of ['.local/share/driftline', '.local/share/driftline/w', '.local/share', '.local'])
      for (const confirmed of [false, true])
        expect((await refusal(at(`home/me/${path}`), { confirmed })).code).toBe('Refused')
    const notYet = at('home/me/code/shop/data/driftline')
    expect((await refusal(at('home/me/code/shop'), { dataDir: notYet })).code).toBe('Refused')
  })

  it('may be a home folder, what is above it, or the whole disk only when confirmed', async () => {
    for (const path of [at('home/me'), at('home'), base, parse(base).root]) {
      expect((await refusal(path)).code).toBe('NeedsConfirmation')
      expect(await check(path, { confirmed: true })).toBe(path)
    }
  })
})
