/** [UI-49] The definitions of a text, by how lines of its language look. */
import { expect, test } from 'vitest'
import { outlineOf, scopeOf } from '../../../src/renderer/features/diff/outline.ts'

/** "name from-to", indented by depth. */
const outline = (path: string, text: string) =>
  outlineOf(text, path).map(({ name, line, endLine, depth }) => `${'  '.repeat(depth)}${name} ${line}-${endLine}`)

test('a script has its classes, methods, functions and tests', () => {
  const text = `import x from 'y'

export class Cart extends Base {
  total(items: Item[]): number {
    if (items.length === 0) {
      return 0
    }
    return 1
  }
}

export const sum = (a: number) => {
  return a
}
const rate = 0.2
export async function pay<T>(
  cart: T
) {
  for (const x of cart) {
  }
}
describe('paying', () => {
  it('adds "tax"', () => {
  })
})
`
  expect(outline('a.ts', text)).toEqual([
    'Cart 3-10',
    '  total 4-9',
    'sum 12-14',
    'pay 16-21',
    'paying 22-25',
    '  adds "tax" 23-24'
  ])
})

test.each([
  ['a.py', 'class A:\n    def f(self):\n        pass\n\n    async def g(self):\n        pass\n\ndef h():\n    pass\n'],
  ['a.rb', 'class A\n  def f\n  end\n\n  def g\n  end\nend\n\ndef h\nend\n'],
  ['A.java', 'public class A {\n  public int f(int a) {\n  }\n\n  void g() throws X {\n  }\n}\n\nclass h {\n}\n'],
  ['a.rs', 'impl A {\n    pub fn f(&self) {\n    }\n\n    async fn g() {\n    }\n}\n\nfn h() {\n}\n'],
  ['a.md', '# A\n\n## f\n\n```\n# no\n```\n\n## g\n\n# h\n']
])('%s: one thing with two parts, and another thing', (path, text) => {
  expect(outline(path, text).map((line) => line.replace(/ \d.*/, ''))).toEqual(['A', '  f', '  g', 'h'])
})

test('go, C, shell and styles', () => {
  expect(outline('a.go', 'type T struct {\n}\n\nfunc (t *T) Do(a int) error {\n}\n')).toEqual(['T 1-2', 'Do 4-5'])
  expect(outline('a.c', 'static int add(int a, int b)\n{\n  return a;\n}\nint x = 1;\n')).toEqual(['add 1-4'])
  expect(outline('a.sh', 'run() {\n  echo\n}\n')).toEqual(['run 1-3'])
  expect(outline('a.css', '.a,\n.b {\n  color: red;\n}\n')).toEqual(['.b 2-4'])
})

test('comments, calls and statements are no definitions, and other texts have none', () => {
  expect(outline('a.ts', '// function no() {\nif (a) {\n}\nfoo(bar, {\n})\nreturn go(a)\n')).toEqual([])
  expect(outline('a.txt', 'class A {\n}\n')).toEqual([])
  expect(outline('a.ts', 'function f() {\n'.repeat(20_001))).toEqual([])
})

test('a line is in the symbols around it, the outermost first', () => {
  const symbols = outlineOf('class A {\n  f() {\n    x\n  }\n  g() {\n  }\n}\n', 'a.ts')
  expect(scopeOf(symbols, 3).map(({ name }) => name)).toEqual(['A', 'f'])
  expect(scopeOf(symbols, 7).map(({ name }) => name)).toEqual(['A'])
})
