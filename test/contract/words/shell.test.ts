import { expect, test } from 'vitest'
import { commandWord, commandWords, shellWord } from '../../../src/contract/words/shell.ts'

test('a word is quoted only if a shell would split or expand it', () => {
  expect(shellWord('src/a-b_c.ts')).toBe('src/a-b_c.ts')
  expect(shellWord('')).toBe("''")
  expect(shellWord("it's $HOME")).toBe("'it'\\''s $HOME'")
})

test('a path in a command that is shown is one word for the shells of its system', () => {
  expect(commandWord('/home/ada/my project', 'linux')).toBe("'/home/ada/my project'")
  expect(commandWord('/Users/ada/shop', 'darwin')).toBe('/Users/ada/shop')
  expect(commandWord('C:\\Users\\Ada\\shop', 'win32')).toBe('C:\\Users\\Ada\\shop')
  expect(commandWord('C:\\Users\\Ada\\my shop', 'win32')).toBe('"C:\\Users\\Ada\\my shop"')
})

test('[RH-2] a command is read as a shell reads words, and nothing in it is expanded', () => {
  expect(commandWords('ssh box sh')).toEqual(['ssh', 'box', 'sh'])
  expect(commandWords(`  env HOME="/x y" 'a b' c\\ d $HOME *  `)).toEqual([
    'env',
    'HOME=/x y',
    'a b',
    'c d',
    '$HOME',
    '*'
  ])
  expect(commandWords('C:\\Windows\\wsl.exe -e sh')).toEqual(['C:\\Windows\\wsl.exe', '-e', 'sh'])
  expect(commandWords(`a '' "b`)).toBeNull()
  expect(commandWords(`a ''`)).toEqual(['a', ''])
  expect(commandWords('')).toEqual([])
})
