import { expect, it } from 'vitest'
import type { FileVersion } from '../../../../src/contract/log.ts'
import { LIMITS } from '../../../../src/main/engine/diff/classify.ts'
import { type ChangeSide, fileDiff } from '../../../../src/main/engine/diff/display.ts'
import { ABSENT, bytesOf, file, link, type Node, versionOf } from './trees.ts'

const side = (node?: Node): ChangeSide => ({ version: versionOf(node), bytes: bytesOf(node) })
const bare = (version: Partial<FileVersion>): ChangeSide => ({ version: { ...ABSENT, ...version }, bytes: null })
const view = (before: ChangeSide, after: ChangeSide, path = 'f.txt', full = false) =>
  fileDiff({ path, before, after, full })
const PNG = file(Buffer.from('89504e470d0a1a0a00', 'hex'))

it('shows text with both sides, a missing side empty', () => {
  expect(view(side(file('a\n')), side(file('b\n')))).toMatchObject({
    view: 'text',
    change: 'modified',
    beforeText: 'a\n',
    afterText: 'b\n',
    encodings: { before: 'utf8', after: 'utf8' },
    hidden: false,
    eolOnly: null,
    secret: false
  })
  expect(view(side(), side(file('b\n')))).toMatchObject({ view: 'text', change: 'added', beforeText: '' })
  expect(view(side(file('a\n')), side())).toMatchObject({ view: 'text', change: 'deleted', afterText: '' })
})

it('reports changed line endings, hidden characters and a guessed encoding', () => {
  expect(view(side(file('a\n')), side(file('a\r\n')))).toMatchObject({ eolOnly: 'LF → CRLF' })
  expect(view(side(file('a')), side(file('a\u202e')))).toMatchObject({ hidden: true })
  const legacy = file(Buffer.from('gr\xfcn', 'latin1'))
  expect(view(side(legacy), side(file('grün')))).toMatchObject({
    view: 'text',
    encodings: { before: 'windows-1252', after: 'utf8' },
    beforeText: 'grün',
    afterText: 'grün'
  })
})

it('gives large text only when asked for it', () => {
  const long = side(file('x'.repeat(6000)))
  expect(view(side(), long)).toMatchObject({ view: 'large', lines: 1 })
  expect(view(side(), long, 'f.txt', true)).toMatchObject({ view: 'text' })
})

it('[B26] never renders content over 20 MB, nor binary content: type, sizes and hashes only', () => {
  const huge = side(file(Buffer.alloc(LIMITS.opaqueBytes + 1, 'a')))
  expect(view(side(), huge, 'f.txt', true)).toMatchObject({ view: 'opaque', type: 'data' })
  const zip = side(file(Buffer.from('PK\x03\x04\0')))
  const diff = view(side(file('text')), zip)
  expect(diff).toMatchObject({ view: 'opaque', type: 'ZIP archive', after: { size: 5, hash: zip.version.hash } })
  expect(JSON.stringify(diff)).not.toContain('text"')
})

it('shows images as images, unless the other side is none; svg as text', () => {
  expect(view(side(), side(PNG), 'a.png')).toMatchObject({
    view: 'image',
    mime: 'image/png',
    beforeBase64: null,
    afterBase64: 'iVBORw0KGgoA'
  })
  expect(view(side(PNG), side(), 'a.png')).toMatchObject({ view: 'image', beforeBase64: 'iVBORw0KGgoA' })
  expect(view(side(file('not an image')), side(PNG), 'a.png').view).toBe('opaque')
  expect(view(side(), side(file('<svg/>')), 'a.svg').view).toBe('text')
})

it('[UI-1] gives the reason why content is not stored', () => {
  const kept = side(file('a'))
  const lost = bare({ kind: 'file', size: 9, notStored: 'unreadable' })
  expect(view(lost, kept)).toMatchObject({ view: 'not-kept', reason: 'unreadable' })
  expect(view(kept, bare({ kind: 'file', size: 9, hash: 'h' }))).toMatchObject({ view: 'not-kept', reason: 'pruned' })
  expect(view(bare({ kind: 'unknown' }), kept)).toMatchObject({ view: 'not-kept', reason: 'pending' })
})

it('shows links and folders by their facts, and the file beside one as text', () => {
  expect(view(side(link('a')), side(link('b')))).toMatchObject({
    view: 'link',
    before: { target: 'a' },
    after: { target: 'b' }
  })
  expect(view(side(), bare({ kind: 'dir', mode: 0o755 }))).toMatchObject({ view: 'dir', change: 'added' })
  expect(view(side(), bare({ kind: 'special' }))).toMatchObject({ view: 'opaque', type: 'special file' })
  expect(view(side(file('text')), side(link('b')))).toMatchObject({
    view: 'text',
    change: 'type',
    beforeText: 'text',
    afterText: ''
  })
})

it('shows a move and a new mode with equal text, and no change as none', () => {
  const moved = fileDiff({ path: 'b', oldPath: 'a', before: side(file('x')), after: side(file('x')) })
  expect(moved).toMatchObject({ view: 'text', change: 'renamed', oldPath: 'a' })
  expect(view(side(file('x')), side(file('x', true)))).toMatchObject({ change: 'mode' })
  expect(view(side(file('x')), side(file('x')))).toMatchObject({ change: 'none' })
})

it('marks secrets', () => {
  expect(view(side(), side(file('KEY=1')), '.env')).toMatchObject({ secret: true })
})
