import { expect, test } from 'vitest'
import { newToken, sameToken, Tickets } from '../../../src/main/server/tokens.ts'

test('a token has 256 bits and is never issued twice', () => {
  expect(Buffer.from(newToken(), 'base64url')).toHaveLength(32)
  expect(new Set(Array.from({ length: 100 }, newToken)).size).toBe(100)
})

test('only an equal token is accepted', () => {
  const token = newToken()
  expect(sameToken(token, token)).toBe(true)
  for (const other of [undefined, '', token.slice(1), `${token}x`, newToken()])
    expect(sameToken(other, token)).toBe(false)
})

test('a ticket works once, within a minute', () => {
  let now = 0
  const tickets = new Tickets(() => now)
  const ticket = tickets.issue('/there')
  expect(tickets.redeem('guess')).toBeNull()
  expect(tickets.redeem(ticket)).toBe('/there')
  expect(tickets.redeem(ticket)).toBeNull()
  const late = tickets.issue('/there')
  now = 60_001
  expect(tickets.redeem(late)).toBeNull()
})
