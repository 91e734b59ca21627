/** The parameters of what a page asks the relay about hosts (params.ts). */
import { z } from 'zod'
import { id, none } from './param-types.ts'

const host = z.strictObject({ name: id })

export const HOST_PARAMS = {
  'hosts.list': () => none,
  /** `command`: the words that end in a shell there; absent for a host that is known. */
  'hosts.add': () =>
    host.extend({
      command: z.array(z.string().min(1).max(4000)).min(1).max(100).readonly().exactOptional()
    }),
  'hosts.cancel': () => host,
  'hosts.remove': () => host,
  'hosts.connect': () => host,
  'hosts.check': () => host
} as const
