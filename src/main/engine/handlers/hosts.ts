/** Hosts belong to the process that serves the pages: its relay answers these methods before a frame gets here. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { Handlers } from './handler.ts'

const refuse = (): never => {
  throw new DriftlineError(
    'Refused',
    'Only the window asks for hosts here. Nothing was changed. Use `driftline hosts`.'
  )
}

export const HOSTS: Handlers<
  'hosts.list' | 'hosts.add' | 'hosts.cancel' | 'hosts.remove' | 'hosts.connect' | 'hosts.check'
> = {
  'hosts.list': refuse,
  'hosts.add': refuse,
  'hosts.cancel': refuse,
  'hosts.remove': refuse,
  'hosts.connect': refuse,
  'hosts.check': refuse
}
