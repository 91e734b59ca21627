import { expect, test } from 'vitest'
import { splitBlocks, splitInline } from '../../../src/renderer/ui/message-markdown.ts'

test('headings and lists are blocks, all other lines are paragraphs as written', () => {
  expect(
    splitBlocks('## Plan ##\nFirst line\n  second line\n\n- one\n  more of one\n  * deeper\n\n2. two\n\nThe end')
  ).toEqual([
    { kind: 'heading', text: 'Plan' },
    { kind: 'paragraph', text: 'First line\n  second line' },
    {
      kind: 'list',
      items: [
        { level: 0, number: null, text: 'one\nmore of one' },
        { level: 1, number: null, text: 'deeper' }
      ]
    },
    { kind: 'list', items: [{ level: 0, number: 2, text: 'two' }] },
    { kind: 'paragraph', text: 'The end' }
  ])
})

test('a dash, a number and a hash within a sentence are characters', () => {
  const text = 'a - b\n#412 is fixed\n3.5 times\n-1'
  expect(splitBlocks(text)).toEqual([{ kind: 'paragraph', text }])
})

test('code, strong text, emphasis and links lose their marks and nothing else', () => {
  expect(splitInline('run `a ** b` **now `x`** or *later*, _maybe_: [docs](https://example.com/a).')).toEqual([
    { text: 'run ', style: 'plain' },
    { text: 'a ** b', style: 'code' },
    { text: ' ', style: 'plain' },
    { text: 'now `x`', style: 'strong' },
    { text: ' or ', style: 'plain' },
    { text: 'later', style: 'emphasis' },
    { text: ', ', style: 'plain' },
    { text: 'maybe', style: 'emphasis' },
    { text: ': ', style: 'plain' },
    { text: 'docs', style: 'link', url: 'https://example.com/a' },
    { text: '.', style: 'plain' }
  ])
})

test('marks within words and without a partner are characters', () => {
  for (const text of ['snake_case_name', '2*3*4', 'a * b * c', '**open', 'list[0](x y)', '__init__'])
    expect(
      splitInline(text)
        .map((piece) => piece.text)
        .join('')
    ).toBe(text)
})

test('a text of many marks without partners is split at once', () => {
  expect(splitInline('*a _b [c **d '.repeat(4000))).toHaveLength(1)
})
