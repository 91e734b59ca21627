import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveStaticFile } from '../../../src/main/host/static-files.ts'

const scratch = mkdtempSync(join(tmpdir(), 'driftline-static-'))
const root = join(scratch, 'renderer')

beforeAll(() => {
  mkdirSync(join(root, 'assets'), { recursive: true })
  mkdirSync(join(scratch, 'renderer-of-somebody-else'))
  writeFileSync(join(root, 'index.html'), '<!doctype html>')
  writeFileSync(join(root, 'assets/app-1a2b.js'), 'export {}')
  writeFileSync(join(scratch, 'secret.txt'), 'secret')
  writeFileSync(join(scratch, 'renderer-of-somebody-else/secret.txt'), 'secret')
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('pages have their type and the full policy; assets are cached for ever, pages never', async () => {
  const page = await serveStaticFile(root, '/')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('cache-control')).toBe('no-store')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
  const asset = await serveStaticFile(root, '/assets/app-1a2b.js')
  expect(asset.headers.get('content-type')).toContain('javascript')
  expect(asset.headers.get('cache-control')).toContain('immutable')
})

test.each([
  ['/../secret.txt', 403],
  ['/%2e%2e/secret.txt', 403],
  ['/..%2fsecret.txt', 403],
  ['/../renderer-of-somebody-else/secret.txt', 403],
  ['/%00', 400],
  ['/%zz', 400],
  ['/assets', 404],
  ['/nothing', 404],
  [`/${'x'.repeat(5000)}`, 404]
])('%s is refused with %i and the hardened headers', isRefused)

test('a link that leads out is refused with 403 and the hardened headers', { tags: ['links'] }, async () => {
  symlinkSync(join(scratch, 'secret.txt'), join(root, 'link.txt'))
  await isRefused('/link.txt', 403)
})

async function isRefused(path: string, status: number): Promise<void> {
  const answer = await serveStaticFile(root, path)
  expect(answer.status).toBe(status)
  expect(await answer.text()).not.toContain('secret')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
}
