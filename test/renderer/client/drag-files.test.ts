import { expect, test } from 'vitest'
import { fileUrl } from '../../../src/renderer/client/drag-files.ts'

test('the address of a file is one that other programs read, on every system and for every name', () => {
  expect(fileUrl('/home/a b/ä#?%.ts')).toBe('file:///home/a%20b/%C3%A4%23%3F%25.ts')
  expect(fileUrl('C:\\Users\\a/src/b.ts')).toBe('file:///C:/Users/a/src/b.ts')
})
