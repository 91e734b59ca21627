/** Texts about the conversation in a restore, before and after it. */
import { describe, expect, test } from 'vitest'
import type { ConversationPlan } from '../../../src/contract/conversation.ts'
import type { RestorePlan } from '../../../src/contract/restore.ts'
import {
  changesConversation,
  conversationText,
  hasResumeInfo,
  modeUnavailableReason
} from '../../../src/contract/words/conversation.ts'
import { staleText } from '../../../src/contract/words/restores.ts'

const conversation = (more: Partial<ConversationPlan> = {}): ConversationPlan => ({
  session: 's1',
  agent: 'codex',
  title: '',
  revision: 9,
  toRevision: 3,
  supersedes: 12,
  bringsBack: 0,
  prompt: 'add tax',
  resumable: true,
  why: null,
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
    { mode: 'files', possible: true, why: null },
    { mode: 'both', possible: conversation !== null, why: conversation ? null : 'not-recorded' }
  ],
  conversation,
  git: []
})

describe('before', () => {
  test('messages set aside are counted, and undo restores them', () => {
    expect(conversationText(conversation(), 'both')).toBe(
      '12 messages after this point are set aside, not deleted; undo restores them.'
    )
    expect(conversationText(conversation({ supersedes: 1 }), 'conversation')).toBe(
      '1 message after this point is set aside, not deleted; undo restores it.'
    )
    expect(conversationText(conversation({ supersedes: 0, bringsBack: 3 }), 'both')).toBe(
      '3 undone messages become active again.'
    )
  })

  test('restoring only the files warns that the agent still remembers', () => {
    expect(conversationText(conversation(), 'files')).toBe(
      'The conversation stays: Codex still remembers the 12 messages after this point.'
    )
  })

  test('the reason why the agent cannot resume is a sentence of its own', () => {
    const words = conversationText(conversation({ resumable: false, why: 'not-forkable' }), 'both')
    expect(
      words.endsWith(
        "undo restores them. This agent's sessions cannot be forked; a prompt with a summary for a new session is prepared instead."
      )
    ).toBe(true)
  })

  test('an unavailable mode says why; only a plan with messages changes the conversation', () => {
    expect(modeUnavailableReason(plan('files', null))).toBe(
      'No conversation was recorded at this point, so only files are restored.'
    )
    expect(changesConversation(plan('both', conversation()))).toBe(true)
    expect(changesConversation(plan('files', conversation()))).toBe(false)
    expect(changesConversation(plan('both', conversation({ supersedes: 0 })))).toBe(false)
  })
})

test('a stale plan names the changed files, or the conversation if no file changed', () => {
  expect(staleText(plan('both', conversation()), plan('both', conversation({ revision: 11 })))).toBe(
    'The conversation continued while you were reading.'
  )
  expect(staleText(plan('both', conversation()), plan('both', conversation()))).toBe(
    '1 file changed while you were reading.'
  )
})

describe('after', () => {
  const done = { session: 's1', revision: 3, superseded: 12, broughtBack: 0, prompt: '', resume: null, failure: null }

  test('the resume panel opens only if there is something to show', () => {
    const result = {
      restore: 'r',
      state: 'done',
      guard: '',
      items: [],
      conflicts: [],
      warnings: [],
      refusal: '',
      git: []
    } as const
    expect(hasResumeInfo({ ...result, conversation: null })).toBe(false)
    expect(hasResumeInfo({ ...result, conversation: done })).toBe(false)
    expect(hasResumeInfo({ ...result, conversation: { ...done, prompt: 'add tax' } })).toBe(true)
    expect(hasResumeInfo({ ...result, state: 'partial', conversation: { ...done, prompt: 'x' } })).toBe(false)
  })
})
