/** What a command says when the recorder ends while it applies a restore. */
import { expect, test } from 'vitest'
import { DriftlineError } from '../../../src/contract/errors.ts'
import type { RestorePlan } from '../../../src/contract/restore.ts'
import type { Context } from '../../../src/main/cli/context.ts'
import { createOutput } from '../../../src/main/cli/output.ts'
import { planAndApply } from '../../../src/main/cli/plan-and-apply.ts'
import { memorySink } from './memory-sink.ts'

test('[RS-7] a restore whose recorder ended says where to look, and not to repeat it', async () => {
  const plan = { plan: 'abc', items: [], conflicts: [], warnings: [], live: [], git: [] } as unknown as RestorePlan
  const context = {
    host: null,
    output: createOutput(memorySink(), memorySink(), {}, false),
    workspace: () => Promise.resolve({ id: 'ws_1' }),
    open: () => Promise.resolve({ client: { on: () => () => {} }, where: 'background' }),
    call: (method: string) =>
      method === 'restore.plan' ? Promise.resolve(plan) : Promise.reject(new DriftlineError('Disconnected', 'retry'))
  } as unknown as Context
  const lost = planAndApply(context, { kind: 'restore', target: 'cp_1' }, { yes: true })
  await expect(lost).rejects.toMatchObject({
    code: 'Disconnected',
    message: expect.stringContaining('`driftline status` says whether it was completed')
  })
})
