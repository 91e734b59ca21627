import { describe, expect, it } from 'vitest'
import {
  eolChange,
  hasHiddenCharacters,
  isLargeText,
  LIMITS,
  measureLines
} from '../../../../src/main/engine/diff/classify.ts'
import { imageMime, sniffType } from '../../../../src/main/engine/diff/content-type.ts'
import { looksSecret } from '../../../../src/main/engine/files/secret-path.ts'

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

it('counts text as large from 1 MB, 20,000 lines or a line of 5,000 characters on', () => {
  expect(isLargeText(Buffer.alloc(LIMITS.largeBytes, 'a\n'))).toBe(true)
  expect(isLargeText(Buffer.from('x\n'.repeat(20_000)))).toBe(false)
  expect(isLargeText(Buffer.from(`${'x\n'.repeat(20_000)}y`))).toBe(true)
  expect(isLargeText(Buffer.from('ü'.repeat(5000)))).toBe(false)
  expect(isLargeText(Buffer.from('x'.repeat(5001)))).toBe(true)
  expect(measureLines(Buffer.from('a\nbcd\n\ne'))).toEqual({ lines: 4, longest: 3 })
  expect(measureLines(Buffer.from(''))).toEqual({ lines: 0, longest: 0 })
  expect(measureLines(Buffer.from('\ufeffa\nbcd\n\u0a0a', 'utf16le'))).toEqual({ lines: 3, longest: 4 })
})

it('finds bidirectional and zero-width characters, but not a leading byte order mark or a joined emoji', () => {
  expect(hasHiddenCharacters('if (\u202eadmin)')).toBe(true)
  expect(hasHiddenCharacters('a\u2066b')).toBe(true)
  expect(hasHiddenCharacters('a\u200bb')).toBe(true)
  expect(hasHiddenCharacters('a\u200db')).toBe(true)
  expect(hasHiddenCharacters('a\ufeff')).toBe(true)
  expect(hasHiddenCharacters('\ufeffplain')).toBe(false)
  expect(hasHiddenCharacters('👩\u200dadmin')).toBe(true)
  expect(hasHiddenCharacters('👩‍💻 grün مرحبا\r\n\t')).toBe(false)
})

it('names a change of line endings only if nothing else differs', () => {
  expect(eolChange('a\nb\n', 'a\r\nb\r\n')).toBe('LF → CRLF')
  expect(eolChange('a\r\nb\n', 'a\nb\n')).toBe('mixed → LF')
  expect(eolChange('a\rb', 'a\nb')).toBe('CR → LF')
  expect(eolChange('a\nb\n', 'a\r\nB\r\n')).toBe(null)
  expect(eolChange('a\n', 'a')).toBe(null)
  expect(eolChange('a\n', 'a\n')).toBe(null)
})

describe('types by signature', () => {
  const header = (at: number, ...rest: (string | number[])[]): Buffer => bytes([...new Uint8Array(at)], ...rest)
  const executable = Buffer.alloc(256)
  executable.write('MZ')
  executable.writeUInt32LE(128, 60)
  executable.write('PE\0\0', 128)
  it.each<[string, Buffer]>([
    ['PNG image', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a])],
    ['JPEG image', bytes([0xff, 0xd8, 0xff, 0xe0])],
    ['GIF image', bytes('GIF89a')],
    ['WebP image', bytes('RIFF1234WEBP')],
    ['AVIF image', bytes([0, 0, 0, 32], 'ftypavif')],
    ['MP4 media', bytes([0, 0, 0, 32], 'ftypisom')],
    ['ICO image', bytes([0, 0, 1, 0, 1, 0])],
    ['PDF document', bytes('%PDF-1.7')],
    ['ZIP archive', bytes('PK', [3, 4])],
    ['gzip data', bytes([0x1f, 0x8b, 8])],
    ['ELF program', bytes([0x7f], 'ELF')],
    ['Mach-O program', bytes([0xcf, 0xfa, 0xed, 0xfe])],
    ['Windows program', executable],
    ['SQLite database', bytes('SQLite format 3\0')],
    ['WebAssembly module', bytes([0], 'asm', [1, 0, 0, 0])],
    ['tar archive', header(257, 'ustar')],
    ['data', bytes('MZ is how this text starts')],
    ['data', bytes('')]
  ])('%s', (type, content) => {
    expect(sniffType(content)).toBe(type)
  })

  it('gives images their media type by content, not by name', () => {
    expect(imageMime('a.txt', bytes('GIF89a'))).toBe('image/gif')
    expect(imageMime('a.png', bytes('<script>'))).toBe(null)
    expect(imageMime('a.BMP', bytes('BM1234'))).toBe('image/bmp')
    expect(imageMime('notes', bytes('BMW is a maker of cars'))).toBe(null)
    expect(imageMime('x/logo.svg', bytes('<svg/>'))).toBe('image/svg+xml')
  })
})

describe('secret-looking paths', () => {
  it.each([
    '.env',
    'app/.env.local',
    '.env.production',
    '.envrc',
    'prod.env',
    'server.pem',
    'tls/private.KEY',
    'id_rsa',
    '.ssh/id_ed25519',
    'id_deploy',
    '.npmrc',
    '.netrc',
    'credentials',
    '.aws/credentials',
    'credentials.json',
    'credentials-prod.yml',
    'a.p12',
    'a.pfx',
    'a.jks',
    'release.keystore',
    '.git-credentials',
    'secrets.yaml',
    'config/secrets.yml.enc',
    'service-account-1.json'
  ])('%s', (path) => {
    expect(looksSecret(path)).toBe(true)
  })
  it.each([
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.local.dist',
    'id_rsa.pub',
    'id_map.ts',
    'environment.ts',
    'keys.ts',
    'monkey',
    'credentials-form.tsx',
    'secrets/README.md',
    'package.json',
    '.environment'
  ])('not %s', (path) => {
    expect(looksSecret(path)).toBe(false)
  })
})
