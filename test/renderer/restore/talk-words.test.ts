/** What a restore says about the conversation, before and after. */
import { describe, expect, test } from 'vitest'
import type { ConversationPlan } from '../../../src/contract/conversation.ts'
import type { RestorePlan } from '../../../src/contract/restore.ts'
import { staleWords } from '../../../src/renderer/features/restore/restore-words.ts'
import {
  movesTalk,
  restoredWords,
  talkWords,
  tellsHowToGoOn,
  whyNotTalk
} from '../../../src/renderer/features/restore/talk-words.ts'

const talk = (more: Partial<ConversationPlan> = {}): ConversationPlan => ({
  session: 's1',
  agent: 'codex',
  title: '',
  revision: 9,
  toRevision: 3,
  supersedes: 12,
  bringsBack: 0,
  prompt: 'add tax',
  resumable: true,
  why: '',
  ...more
})
const plan = (mode: RestorePlan['mode'], conversation: ConversationPlan | null): RestorePlan => ({
  plan: 'p',
  act: 'restore',
  target: 't',
  title: '',
  targetAt: null,
  items: [],
  conflicts: [],
  warnings: [],
  unchanged: 0,
  live: [],
  mode,
  modes: [
    { mode: 'files', possible: true, why: '' },
    { mode: 'both', possible: conversation !== null, why: conversation ? '' : 'no conversation was recorded here' }
  ],
  conversation
})

describe('before', () => {
  test('what is set aside is counted, said to stay, and said to come back', () => {
    expect(talkWords(talk(), 'both')).toBe(
      '12 messages after this point are set aside, not deleted; undo brings them back.'
    )
    expect(talkWords(talk({ supersedes: 1 }), 'conversation')).toBe(
      '1 message after this point is set aside, not deleted; undo brings it back.'
    )
    expect(talkWords(talk({ supersedes: 0, bringsBack: 3 }), 'both')).toBe(
      '3 messages taken back before are in force again.'
    )
  })

  test('files alone leave an agent that remembers, and that is said', () => {
    expect(talkWords(talk(), 'files')).toBe(
      'The conversation stays: Codex still remembers the 12 messages after this point.'
    )
  })

  test('why the agent cannot go on from there is a sentence of its own', () => {
    const words = talkWords(talk({ resumable: false, why: 'its sessions cannot be cut' }), 'both')
    expect(words.endsWith('undo brings them back. Its sessions cannot be cut.')).toBe(true)
  })

  test('a mode that cannot be had says why; only a plan that moves messages moves the conversation', () => {
    expect(whyNotTalk(plan('files', null))).toBe('No conversation was recorded here.')
    expect(movesTalk(plan('both', talk()))).toBe(true)
    expect(movesTalk(plan('files', talk()))).toBe(false)
    expect(movesTalk(plan('both', talk({ supersedes: 0 })))).toBe(false)
  })
})

test('what moved on while a person was reading: the conversation when no file did, else the files', () => {
  expect(staleWords(plan('both', talk()), plan('both', talk({ revision: 11 })))).toBe(
    'The conversation went on while you were reading.'
  )
  expect(staleWords(plan('both', talk()), plan('both', talk()))).toBe('1 file changed while you were reading.')
})

describe('after', () => {
  const done = { session: 's1', revision: 3, superseded: 12, broughtBack: 0, prompt: '', resume: null, note: '' }

  test('what was restored names the files and the conversation', () => {
    expect(restoredWords(6, { conversation: done })).toBe('6 files and the conversation')
    expect(restoredWords(0, { conversation: done })).toBe('the conversation')
    expect(restoredWords(1, { conversation: null })).toBe('1 file')
    expect(restoredWords(1, { conversation: { ...done, superseded: 0 } })).toBe('1 file')
  })

  test('how to go on is only told when there is something to tell', () => {
    const result = {
      restore: 'r',
      state: 'done',
      guard: '',
      items: [],
      conflicts: [],
      warnings: [],
      refusal: ''
    } as const
    expect(tellsHowToGoOn({ ...result, conversation: null })).toBe(false)
    expect(tellsHowToGoOn({ ...result, conversation: done })).toBe(false)
    expect(tellsHowToGoOn({ ...result, conversation: { ...done, prompt: 'add tax' } })).toBe(true)
    expect(tellsHowToGoOn({ ...result, state: 'partial', conversation: { ...done, prompt: 'x' } })).toBe(false)
  })
})
