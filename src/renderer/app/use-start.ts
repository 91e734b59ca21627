/** Opens the last workspace in a new window if that is the preference, and stores the current one. */
import { useEffect, useRef } from 'react'
import { useDriftline } from '../client/context.tsx'
import { useQuery } from '../client/use-query.ts'

const LAST = 'ui.last-open'

export function useStart(openId: string, open: (id: string) => void): void {
  const { client } = useDriftline()
  const settings = useQuery('settings.get', {})
  const list = useQuery('workspaces.list', {})
  const decided = useRef(false)

  useEffect(() => {
    if (openId !== '') decided.current = true
    if (decided.current || !settings.data || !list.data) return
    decided.current = true
    const { values } = settings.data
    const last = list.data.workspaces.find(({ id }) => id === values[LAST])
    if (values['ui.start'] === 'last' && last?.folder === 'present') open(last.id)
  }, [openId, settings.data, list.data, open])

  useEffect(() => {
    if (openId === '') return
    client.call('settings.set', { key: LAST, value: openId }).catch(() => {
      // Disconnected: the next opened workspace is stored instead.
    })
  }, [client, openId])
}
