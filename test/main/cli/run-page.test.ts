/** [SH-1] The page of an exported run: text stays text, and secrets are masked. */
import { expect, test } from 'vitest'
import { runPage } from '../../../src/main/cli/run-page.ts'

const EVIL = '</pre><script>alert(1)</script><img src=x onerror=alert(1)>\u202e"\'&'

function page(lines: readonly string[], title = 'Add a cart', path = 'a.ts'): string {
  const patch = [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, '@@ -1 +1,9 @@', ...lines].join(
    '\n'
  )
  const file = { path, change: 'modified', kind: 'text', counted: true, added: 1, deleted: 0, secret: false }
  const run = {
    title,
    label: '',
    prompt: '',
    userNote: '',
    agent: 'codex',
    startedAt: 0,
    endedAt: 1,
    files: [file],
    warnings: []
  }
  return runPage({ title, patch, run } as unknown as Parameters<typeof runPage>[0])
}

test('[SH-1] a hostile title, name or line adds no element, attribute or hidden character', () => {
  const plain = page(['+x'], 'x', 'x')
  const hostile = page([`+${EVIL}`], EVIL, EVIL)
  const tags = (html: string) => html.match(/<[^>]*>/g)
  expect(tags(hostile)).toEqual(tags(plain))
  expect(hostile).not.toContain('\u202e')
  expect(hostile).toContain('&lt;script&gt;')
  expect(plain).toContain("default-src 'none'")
  expect(plain).not.toMatch(/<(?:script|a|img|link|iframe|form)\b|https?:|url\(/)
})

test('[SH-1] lines that may contain a secret are masked, every line of a key included', () => {
  const key = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEowIBAAKCAQEA7', '-----END RSA PRIVATE KEY-----']
  const html = page([
    ...key.map((line) => `+${line}`),
    '+after',
    `-const token = "${'ab12'.repeat(5)}"`,
    `+AWS_SECRET_ACCESS_KEY=${'ab12'.repeat(10)}`
  ])
  expect(html).not.toMatch(/MIIE|PRIVATE KEY|ab12/)
  expect(html.match(/may contain a secret/g)).toHaveLength(5)
  expect(html).toContain('<span class="a">+after</span>')
})

test('[SH-1] a secret in a title or name is masked, and so is the middle of a key', () => {
  const secret = `ghp_${'a1'.repeat(20)}`
  const html = page([` ${'MIIEowIBAAKCAQEA'.repeat(4)}`, '+after'], `use ${secret}`, `${secret}.ts`)
  expect(html).not.toMatch(/a1a1|MIIE/)
  expect(html).toContain('+after')
})

test('[SH-1] the bytes of a binary file are left out, and what follows is shown', () => {
  const html = page([
    '+a',
    'diff --git a/c b/c',
    'GIT binary patch',
    'literal 3',
    'KcmZQzfB',
    '',
    'diff --git a/b b/b',
    '@@ -1 +1 @@',
    '+\ttab'
  ])
  expect(html).not.toContain('KcmZ')
  expect(html).toContain('<span class="a">+\ttab</span>')
})
