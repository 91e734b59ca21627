/** Keyboard navigation that lists, trees and menus share. */
import { describe, expect, test } from 'vitest'
import { isTypedText, type ListShape, listMove, typeAhead } from '../../../src/renderer/ui/list-keys.ts'
import { press } from '../commands/press.ts'

const NAMES = ['Today', 'src', 'src/a', 'src/b', 'test']
/** A tree with a heading at 0 and an expanded row at 1. */
const TREE: ListShape = {
  length: 5,
  canFocus: (index) => index !== 0,
  levelOf: (index) => (index === 2 || index === 3 ? 2 : 1),
  isExpanded: (index) => (index === 1 ? true : index === 4 ? false : null),
  textOf: (index) => NAMES[index] ?? '',
  pageRows: 2
}
const to = (index: number, extend = false) => ({ to: index, extend })
const move = (at: number, keys: string, list = TREE, letters = true) => listMove(list, at, press(keys), letters)

describe('moves', () => {
  test('arrows and J and K move by one row, and Shift extends', () => {
    expect(move(1, 'ArrowDown')).toEqual(to(2))
    expect(move(2, 'k')).toEqual(to(1))
    expect(move(1, 'Shift+ArrowDown')).toEqual(to(2, true))
    expect(move(1, 'Shift+J')).toEqual(to(2, true))
  })

  test('letters can be turned off', () => {
    expect(move(1, 'j', TREE, false)).toBeNull()
  })

  test('Home, End and page keys pass over rows that cannot take the focus', () => {
    expect(move(3, 'Home')).toEqual(to(1))
    expect(move(1, 'End')).toEqual(to(4))
    expect(move(2, 'PageUp')).toEqual(to(1))
    expect(move(2, 'PageDown')).toEqual(to(4))
    expect(move(1, 'ArrowUp')).toEqual(to(1))
  })

  test('a menu continues at its other end, a list does not', () => {
    expect(move(4, 'ArrowDown')).toEqual(to(4))
    expect(move(2, 'ArrowDown', { length: 3, wraps: true })).toEqual(to(0))
    expect(move(0, 'ArrowUp', { length: 3, wraps: true })).toEqual(to(2))
  })

  test('sideways arrows expand, collapse and move between parent and child', () => {
    expect(move(4, 'ArrowRight')).toEqual({ expand: true })
    expect(move(1, 'ArrowRight')).toEqual(to(2))
    expect(move(1, 'ArrowLeft')).toEqual({ expand: false })
    expect(move(3, 'ArrowLeft')).toEqual(to(1))
    expect(move(3, 'ArrowRight')).toBeNull()
  })

  test('keys with modifiers belong to commands', () => {
    for (const keys of ['Ctrl+ArrowDown', 'Alt+ArrowDown', 'Meta+j']) expect(move(1, keys)).toBeNull()
  })

  test('an empty list has no moves that leave it', () => {
    expect(move(0, 'ArrowDown', { length: 0, wraps: true })).toEqual(to(0))
  })
})

describe('type-ahead', () => {
  test('finds the next row by its beginning, around the end, and ignores case', () => {
    expect(typeAhead(TREE, 2, 'S')).toBe(2)
    expect(typeAhead(TREE, 4, 'src')).toBe(1)
    expect(typeAhead(TREE, 1, 'x')).toBeNull()
  })

  test('passes over rows that cannot take the focus', () => {
    expect(typeAhead(TREE, 0, 't')).toBe(4)
  })

  test('only characters without modifiers are typed text', () => {
    expect(isTypedText(press('ü'))).toBe(true)
    expect(isTypedText(press(' '))).toBe(false)
    expect(isTypedText(press('Ctrl+a'))).toBe(false)
    expect(isTypedText(press('Enter'))).toBe(false)
  })
})
