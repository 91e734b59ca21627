import { describe, expect, test } from 'vitest'
import { type EditPlan, planEdit } from '../../../../src/main/engine/tools/plan-edit.ts'

function plan(text: string, old: string, made: string): EditPlan {
  return planEdit({ text, old, new: made })
}

/** The text after an edit that has to be found on this rung. */
function edited(text: string, old: string, made: string, rung: string): string {
  const found = plan(text, old, made)
  if (found.result !== 'edit') throw new Error(`no edit: ${JSON.stringify(found)}`)
  expect(found.rung).toBe(rung)
  return found.text
}

describe('exact', () => {
  test('text that stands there once is replaced, also inside a line', () => {
    expect(edited('a = 1\nb = 2\n', 'b = 2', 'b = 3', 'exact')).toBe('a = 1\nb = 3\n')
    expect(edited('call(one, two)', 'one', 'three', 'exact')).toBe('call(three, two)')
  })

  test('text that stands there more than once is refused with the count and the lines', () => {
    expect(plan('x\ny\nx\nx\n', 'x', 'z')).toEqual({
      result: 'several',
      rung: 'exact',
      count: 3,
      more: false,
      lines: [1, 3, 4]
    })
  })

  test('patterns of a replacement are text like any other', () => {
    expect(edited('price', 'price', "$& $1 $$ $` $'", 'exact')).toBe("$& $1 $$ $` $'")
  })

  test('line ends of the file stay, whichever the request has', () => {
    expect(edited('a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nB\nB2\n', 'exact')).toBe('a\r\nB\r\nB2\r\nc\r\n')
    expect(edited('a\nb\nc\n', 'b\r\nc', 'B\r\nC', 'exact')).toBe('a\nB\nC\n')
    expect(edited('a\rb\rc', 'a\nb', 'a\nx\nb', 'exact')).toBe('a\rx\rb\rc')
  })

  test('in a file with both kinds of line ends every kept line keeps its own', () => {
    expect(edited('a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'a\nB\nc\nd', 'exact')).toBe('a\r\nB\nc\r\nd\n')
  })

  test('a line goes with its line end, at the end of a file too', () => {
    expect(edited('a\nb\nc\n', 'b\n', '', 'exact')).toBe('a\nc\n')
    expect(edited('a\r\nb', '\nb', '', 'exact')).toBe('a')
    expect(edited('only', 'only', '', 'exact')).toBe('')
  })

  test('a file without a last line end gets none, and takes a request that has one', () => {
    expect(edited('a\nb', 'b\n', 'c\n', 'whitespace')).toBe('a\nc')
  })
})

describe('whitespace', () => {
  test('blanks at line ends and their number inside a line do not count; kept lines keep theirs', () => {
    const text = 'if (a)  {  \n  go( 1,  2 )\t\n}\n'
    expect(edited(text, 'if (a) {\n  go( 1, 2 )\n}', 'if (a) {\n  go( 1, 3 )\n}', 'whitespace')).toBe(
      'if (a)  {  \n  go( 1, 3 )\n}\n'
    )
  })

  test('empty lines around the request do not count', () => {
    expect(edited('a\nb  \nc\n', '\n\nb\n\n', '\n\nB\n\n', 'whitespace')).toBe('a\nB\nc\n')
    expect(edited('a\nb  \nc\n', 'b\n', '', 'whitespace')).toBe('a\nc\n')
  })

  test('several places that are equal but for blanks are refused', () => {
    expect(plan('go( 1 )\t;\nx\ngo( 1 ) ;\n', 'go( 1 )  ;', 'stop')).toMatchObject({
      result: 'several',
      rung: 'whitespace',
      count: 2,
      lines: [1, 3]
    })
  })

  test('the same lines at another depth are another place', () => {
    const text = '  a()  \n    b()\nx\na()\n  b()\n'
    expect(edited(text, '  a()\n    b()', '  a()\n    c()', 'whitespace')).toBe('  a()  \n    c()\nx\na()\n  b()\n')
  })
})

describe('indentation', () => {
  test('a passage at another depth is found and what is put in comes to that depth', () => {
    const text = 'class A:\n    def f(self):\n        if x:\n            return 1\n'
    expect(edited(text, 'if x:\n    return 1', 'if x:\n    log()\n    return 2\nelse:\n    pass', 'indentation')).toBe(
      'class A:\n    def f(self):\n        if x:\n            log()\n            return 2\n        else:\n            pass\n'
    )
  })

  test('blanks become tabs where the file has tabs, and the other way round', () => {
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

  test('less depth than any line that was found is taken from the file, too', () => {
    expect(edited('      a()\n      b()\n', '    a()\n    b()', '    a()\n  c()', 'indentation')).toBe(
      '      a()\n    c()\n'
    )
  })

  test('blanks around signs and empty lines in between do not count', () => {
    const text = 'x = foo( a,b )\n\n\ny = 2\n'
    expect(edited(text, 'x=foo(a, b)\ny = 2', 'x=foo(a, b)\ny = 3', 'indentation')).toBe('x = foo( a,b )\n\n\ny = 3\n')
  })

  test('a blank that parts two words counts', () => {
    expect(plan('elseif x\n', 'else if x', 'y').result).toBe('none')
  })

  test('inside a line nothing but the passage changes', () => {
    expect(edited('  let x = call( a , b ) + 1 // sum\n', 'call(a, b)', 'call(a, c)', 'indentation')).toBe(
      '  let x = call(a, c) + 1 // sum\n'
    )
  })

  test('a word is never cut', () => {
    expect(plan('recall( a )\n', 'call(a)', 'x').result).toBe('none')
    expect(plan('x = call( a )s\n', 'x = call(a)', 'y').result).toBe('edit')
  })
})

describe('unicode', () => {
  test('typographic quotes, dashes and blanks are plain ones; kept lines keep theirs', () => {
    const text = 'say “hello” – now\u00a0then\nit’s here…\n'
    expect(edited(text, 'say "hello" - now then\nit\'s here...', 'say "hello" - now then\nit\'s gone', 'unicode')).toBe(
      "say “hello” – now\u00a0then\nit's gone\n"
    )
  })

  test('the same holds when the request has them', () => {
    expect(edited("print('a - b')\n", 'print(‘a — b’)', "print('c')", 'unicode')).toBe("print('c')\n")
  })

  test('composed and decomposed letters are one; a mark is never parted from its letter', () => {
    expect(edited('cafe\u0301 = 1\n', 'caf\u00e9 = 1', 'tea = 1', 'unicode')).toBe('tea = 1\n')
    expect(edited('caf\u00e9 = 1\n', 'cafe\u0301', 'tea', 'unicode')).toBe('tea = 1\n')
    expect(plan('(e\u0301)', '(e', 'x').result).toBe('edit')
    expect(plan('[e\u0301\u2013]', '[\u201ce', 'x').result).toBe('none')
  })

  test('characters outside the basic plane keep their halves', () => {
    expect(edited('“😀” and 😀\n', '"😀" and', '"🎉" and', 'unicode')).toBe('"🎉" and 😀\n')
  })

  test('what nobody sees does not count', () => {
    expect(edited('to\u200btal = 1\n', 'total = 1', 'total = 2', 'unicode')).toBe('total = 2\n')
  })

  test('depth and quotes may both be off', () => {
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

  test('a passage with a slip is found when nothing else is nearly like it', () => {
    const old = 'function total(items) {\n  let sum = 0\n  for (const itm of items) sum += item.price\n  return sum\n}'
    const made = old.replace('let sum = 0', 'let sum = 1')
    expect(edited(text, old, made, 'similar')).toBe(text.replace('let sum = 0', 'let sum = 1'))
  })

  test('too little alike is refused, with the nearest line', () => {
    expect(plan(text, 'for (const entry of entries) total += entry.amount', 'x')).toMatchObject({
      result: 'none',
      nearest: { line: 3, text: 'for (const item of items) sum += item.price' }
    })
  })

  test('from three lines on the first and the last have to be equal', () => {
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

  test('short words are not guessed at', () => {
    expect(plan('item(2)\n', 'item(1)', 'item(3)').result).toBe('none')
  })
})

describe('already done', () => {
  test('an insertion beside its anchor is not stamped twice, on any rung', () => {
    const once = edited('a()\nz()\n', 'a()', 'a()\nb()', 'exact')
    expect(plan(once, 'a()', 'a()\nb()')).toEqual({ result: 'done', why: 'applied' })
    const deep = edited('  a( 1 )\n  z()\n', 'a(1)', 'a(1)\nb()', 'indentation')
    expect(deep).toBe('  a( 1 )\n  b()\n  z()\n')
    expect(plan(deep, 'a(1)', 'a(1)\nb()')).toEqual({ result: 'done', why: 'applied' })
  })

  test('lines put between lines that stay are not put in twice, whatever drifted', () => {
    const old = 'switch (code) {\n    case "a":\n        one()'
    const made = 'switch (code) {\n    case "b":\n    case "a":\n        one()'
    const once = edited('  switch (code) {\n    case “a”:\n      one()\n  }\n', old, made, 'unicode')
    expect(plan(once, old, made)).toEqual({ result: 'done', why: 'applied' })
  })

  test('a place where the new text stands in the middle of its unchanged lines is done', () => {
    const old = 'start()\nfor (const x of list) work(x)\nend()'
    const made = 'start()\nfor (const y of list) work(y)\nend()'
    expect(plan(`${made}\n`, old, made)).toEqual({ result: 'done', why: 'applied' })
  })

  test('new text that merely stands elsewhere is no success', () => {
    expect(plan('a = 1\nb = 2\n', 'c = 1', 'b = 2').result).toBe('none')
  })

  test('what the log knows to have been done is done', () => {
    const wanted = { text: 'colour = blue\n', old: 'colour = red', new: 'colour = blue' }
    expect(planEdit({ ...wanted, wasApplied: () => true })).toEqual({ result: 'done', why: 'applied' })
    expect(planEdit({ ...wanted, wasApplied: () => false }).result).toBe('none')
  })

  test('an empty line is put in although one follows', () => {
    expect(edited('a\nb\n', 'a', 'a\n', 'exact')).toBe('a\n\nb\n')
  })

  test('the same text is nothing to do', () => {
    expect(plan('a\n', 'a', 'a')).toEqual({ result: 'done', why: 'same' })
  })
})

describe('requests without sense', () => {
  test('nothing, only blanks, and more than there is', () => {
    expect(plan('a\n', '', 'x')).toEqual({ result: 'empty' })
    expect(plan('a\n', ' \n\t\n', 'x')).toEqual({ result: 'empty' })
    expect(plan('', 'a', 'x').result).toBe('none')
    expect(plan('a\n', 'a\nb\nc\nd', 'x').result).toBe('none')
  })
})
