import { describe, expect, test } from 'vitest'
import { type EditPlan, planEdit } from '../../../../src/main/engine/tools/plan-edit.ts'

function plan(text: string, old: string, replacement: string): EditPlan {
  return planEdit({ text, old, new: replacement })
}

/** The text after an edit, which must be found on this rung. */
function edited(text: string, old: string, replacement: string, rung: string): string {
  const found = plan(text, old, replacement)
  if (found.result !== 'edit') throw new Error(`no edit: ${JSON.stringify(found)}`)
  expect(found.rung).toBe(rung)
  return found.text
}

describe('exact', () => {
  test('a unique passage is replaced, also inside a line', () => {
    expect(edited('a = 1\nb = 2\n', 'b = 2', 'b = 3', 'exact')).toBe('a = 1\nb = 3\n')
    expect(edited('call(one, two)', 'one', 'three', 'exact')).toBe('call(three, two)')
  })

  test('a passage that occurs more than once is refused with the count and the lines', () => {
    expect(plan('x\ny\nx\nx\n', 'x', 'z')).toEqual({
      result: 'several',
      rung: 'exact',
      count: 3,
      more: false,
      lines: [1, 3, 4]
    })
  })

  test('replacement patterns such as $& are plain text', () => {
    expect(edited('price', 'price', "$& $1 $$ $` $'", 'exact')).toBe("$& $1 $$ $` $'")
  })

  test('line ends of the file stay, whichever the edit has', () => {
    expect(edited('a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nB\nB2\n', 'exact')).toBe('a\r\nB\r\nB2\r\nc\r\n')
    expect(edited('a\nb\nc\n', 'b\r\nc', 'B\r\nC', 'exact')).toBe('a\nB\nC\n')
    expect(edited('a\rb\rc', 'a\nb', 'a\nx\nb', 'exact')).toBe('a\rx\rb\rc')
  })

  test('in a file with both kinds of line ends every kept line keeps its own', () => {
    expect(edited('a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'a\nB\nc\nd', 'exact')).toBe('a\r\nB\nc\r\nd\n')
  })

  test('a deleted line is deleted with its line end, also at the end of a file', () => {
    expect(edited('a\nb\nc\n', 'b\n', '', 'exact')).toBe('a\nc\n')
    expect(edited('a\r\nb', '\nb', '', 'exact')).toBe('a')
    expect(edited('only', 'only', '', 'exact')).toBe('')
  })

  test('a file without a final line end gets none, even if the edit has one', () => {
    expect(edited('a\nb', 'b\n', 'c\n', 'whitespace')).toBe('a\nc')
  })
})

describe('whitespace', () => {
  test('blanks at line ends and the number of blanks are ignored; kept lines keep theirs', () => {
    const text = 'if (a)  {  \n  go( 1,  2 )\t\n}\n'
    expect(edited(text, 'if (a) {\n  go( 1, 2 )\n}', 'if (a) {\n  go( 1, 3 )\n}', 'whitespace')).toBe(
      'if (a)  {  \n  go( 1, 3 )\n}\n'
    )
  })

  test('empty lines around the passage are ignored', () => {
    expect(edited('a\nb  \nc\n', '\n\nb\n\n', '\n\nB\n\n', 'whitespace')).toBe('a\nB\nc\n')
    expect(edited('a\nb  \nc\n', 'b\n', '', 'whitespace')).toBe('a\nc\n')
  })

  test('several places that differ only in blanks are refused', () => {
    expect(plan('go( 1 )\t;\nx\ngo( 1 ) ;\n', 'go( 1 )  ;', 'stop')).toMatchObject({
      result: 'several',
      rung: 'whitespace',
      count: 2,
      lines: [1, 3]
    })
  })

  test('the same lines at another depth do not match', () => {
    const text = '  a()  \n    b()\nx\na()\n  b()\n'
    expect(edited(text, '  a()\n    b()', '  a()\n    c()', 'whitespace')).toBe('  a()  \n    c()\nx\na()\n  b()\n')
  })
})

describe('indentation', () => {
  test('a passage at another depth is found, and new lines get that depth', () => {
    const text = 'class A:\n    def f(self):\n        if x:\n            return 1\n'
    expect(edited(text, 'if x:\n    return 1', 'if x:\n    log()\n    return 2\nelse:\n    pass', 'indentation')).toBe(
      'class A:\n    def f(self):\n        if x:\n            log()\n            return 2\n        else:\n            pass\n'
    )
  })

  test('spaces become tabs where the file has tabs, and the reverse', () => {
    expect(
      edited(
        'f() {\n\tif (a) {\n\t\tb()\n\t}\n}\n',
        '  if (a) {\n    b()\n  }',
        '  if (a) {\n    if (c) {\n      d()\n    }\n  }',
        'indentation'
      )
    ).toBe('f() {\n\tif (a) {\n\t\tif (c) {\n\t\t\td()\n\t\t}\n\t}\n}\n')
    expect(edited('if (a)\n    b()\n', 'if (a)\n\tb()', 'if (a)\n\tif (c)\n\t\tb()', 'indentation')).toBe(
      'if (a)\n    if (c)\n        b()\n'
    )
  })

  test('a wider step of indentation stays wider', () => {
    expect(
      edited('a:\n    b:\n        c\n', 'a:\n  b:\n    c', 'a:\n  b:\n    c\n    d:\n      e', 'indentation')
    ).toBe('a:\n    b:\n        c\n        d:\n            e\n')
  })

  test('a new line with less depth than all quoted lines is shifted like them', () => {
    expect(edited('      a()\n      b()\n', '    a()\n    b()', '    a()\n  c()', 'indentation')).toBe(
      '      a()\n    c()\n'
    )
  })

  test('blanks around signs and empty lines in between are ignored', () => {
    const text = 'x = foo( a,b )\n\n\ny = 2\n'
    expect(edited(text, 'x=foo(a, b)\ny = 2', 'x=foo(a, b)\ny = 3', 'indentation')).toBe('x = foo( a,b )\n\n\ny = 3\n')
  })

  test('a blank that separates two words is compared', () => {
    expect(plan('elseif x\n', 'else if x', 'y').result).toBe('none')
  })

  test('inside a line nothing but the passage changes', () => {
    expect(edited('  let x = call( a , b ) + 1 // sum\n', 'call(a, b)', 'call(a, c)', 'indentation')).toBe(
      '  let x = call(a, c) + 1 // sum\n'
    )
  })

  test('a match never begins or ends inside a word', () => {
    expect(plan('recall( a )\n', 'call(a)', 'x').result).toBe('none')
    expect(plan('x = call( a )s\n', 'x = call(a)', 'y').result).toBe('edit')
  })
})

describe('unicode', () => {
  test('typographic quotes, dashes and blanks match plain ones; kept lines keep theirs', () => {
    const text = 'say “hello” – now\u00a0then\nit’s here…\n'
    expect(edited(text, 'say "hello" - now then\nit\'s here...', 'say "hello" - now then\nit\'s gone', 'unicode')).toBe(
      "say “hello” – now\u00a0then\nit's gone\n"
    )
  })

  test('typographic signs in the edit match plain ones in the file', () => {
    expect(edited("print('a - b')\n", 'print(‘a — b’)', "print('c')", 'unicode')).toBe("print('c')\n")
  })

  test('composed and decomposed letters match; a mark is never separated from its letter', () => {
    expect(edited('cafe\u0301 = 1\n', 'caf\u00e9 = 1', 'tea = 1', 'unicode')).toBe('tea = 1\n')
    expect(edited('caf\u00e9 = 1\n', 'cafe\u0301', 'tea', 'unicode')).toBe('tea = 1\n')
    expect(plan('(e\u0301)', '(e', 'x').result).toBe('edit')
    expect(plan('[e\u0301\u2013]', '[\u201ce', 'x').result).toBe('none')
  })

  test('characters outside the basic plane are never split', () => {
    expect(edited('“😀” and 😀\n', '"😀" and', '"🎉" and', 'unicode')).toBe('"🎉" and 😀\n')
  })

  test('invisible characters are ignored', () => {
    expect(edited('to\u200btal = 1\n', 'total = 1', 'total = 2', 'unicode')).toBe('total = 2\n')
  })

  test('depth and quotes may both differ', () => {
    expect(edited('    say(“a”)\n    b()\n', 'say("a")\nb()', 'say("c")\nb()', 'unicode')).toBe(
      '    say("c")\n    b()\n'
    )
  })
})

describe('similar', () => {
  const text = [
    'function total(items) {',
    '  let sum = 0',
    '  for (const item of items) sum += item.price',
    '  return sum',
    '}',
    ''
  ].join('\n')

  test('a passage with a typing error is found when nothing else is nearly as similar', () => {
    const old = 'function total(items) {\n  let sum = 0\n  for (const itm of items) sum += item.price\n  return sum\n}'
    const replacement = old.replace('let sum = 0', 'let sum = 1')
    expect(edited(text, old, replacement, 'similar')).toBe(text.replace('let sum = 0', 'let sum = 1'))
  })

  test('[UI-16] a passage that is not similar enough is refused with the nearest line', () => {
    expect(plan(text, 'for (const entry of entries) total += entry.amount', 'x')).toMatchObject({
      result: 'none',
      nearest: { line: 3, text: 'for (const item of items) sum += item.price' }
    })
  })

  test('with three lines or more the first and the last have to be equal', () => {
    const old = 'function totl(items) {\n  let sum = 0\n  for (const item of items) sum += item.price\n  return sum\n}'
    expect(plan(text, old, 'x')).toMatchObject({ result: 'none', nearest: { line: 3 } })
  })

  test('two places inside the margin are refused', () => {
    const twice = 'send(message, to, retries)\nx\nsend(message, to, retrier)\n'
    expect(plan(twice, 'send(message, to, retried)', 'y')).toMatchObject({
      result: 'several',
      rung: 'similar',
      lines: [1, 3]
    })
  })

  test('a short passage never matches by similarity', () => {
    expect(plan('item(2)\n', 'item(1)', 'item(3)').result).toBe('none')
  })
})

describe('already done', () => {
  test('an insertion beside its anchor is never applied twice, on any rung', () => {
    const once = edited('a()\nz()\n', 'a()', 'a()\nb()', 'exact')
    expect(plan(once, 'a()', 'a()\nb()')).toEqual({ result: 'done', why: 'applied' })
    const deep = edited('  a( 1 )\n  z()\n', 'a(1)', 'a(1)\nb()', 'indentation')
    expect(deep).toBe('  a( 1 )\n  b()\n  z()\n')
    expect(plan(deep, 'a(1)', 'a(1)\nb()')).toEqual({ result: 'done', why: 'applied' })
  })

  test('lines inserted between kept lines are never inserted twice, whatever differs', () => {
    const old = 'switch (code) {\n    case "a":\n        one()'
    const replacement = 'switch (code) {\n    case "b":\n    case "a":\n        one()'
    const once = edited('  switch (code) {\n    case “a”:\n      one()\n  }\n', old, replacement, 'unicode')
    expect(plan(once, old, replacement)).toEqual({ result: 'done', why: 'applied' })
  })

  test('a file with the new text between its unchanged lines is already edited', () => {
    const old = 'start()\nfor (const x of list) work(x)\nend()'
    const replacement = 'start()\nfor (const y of list) work(y)\nend()'
    expect(plan(`${replacement}\n`, old, replacement)).toEqual({ result: 'done', why: 'applied' })
  })

  test('the new text elsewhere in the file does not count as already edited', () => {
    expect(plan('a = 1\nb = 2\n', 'c = 1', 'b = 2').result).toBe('none')
  })

  test('an edit that the log has is already applied', () => {
    const request = { text: 'colour = blue\n', old: 'colour = red', new: 'colour = blue' }
    expect(planEdit({ ...request, wasApplied: () => true })).toEqual({ result: 'done', why: 'applied' })
    expect(planEdit({ ...request, wasApplied: () => false }).result).toBe('none')
  })

  test('an empty line is inserted even if one follows', () => {
    expect(edited('a\nb\n', 'a', 'a\n', 'exact')).toBe('a\n\nb\n')
  })

  test('replacing a text by itself changes nothing', () => {
    expect(plan('a\n', 'a', 'a')).toEqual({ result: 'done', why: 'same' })
  })
})

describe('meaningless edits', () => {
  test('an empty or blank passage, and a passage longer than the file', () => {
    expect(plan('a\n', '', 'x')).toEqual({ result: 'empty' })
    expect(plan('a\n', ' \n\t\n', 'x')).toEqual({ result: 'empty' })
    expect(plan('', 'a', 'x').result).toBe('none')
    expect(plan('a\n', 'a\nb\nc\nd', 'x').result).toBe('none')
  })
})
