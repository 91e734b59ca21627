/** Which workspace is open: as the address or the last window left it, and until it is removed. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Result } from '../../contract/api.ts'
import { hostOf } from '../../contract/hosts.ts'
import { NO_ADDRESS, onAddress, readAddress, showAddress } from '../client/address.ts'
import { useDriftline } from '../client/context.tsx'
import { type Places, usePlaces } from '../client/places.ts'
import { useQuery } from '../client/use-query.ts'

const OPEN_KEY = 'driftline.open'
/** In place of the id of a workspace: the screen of all hosts. */
export const TODAY = 'today'

/** What is open: the id of a workspace, `TODAY`, or "" for the first screen. */
export function useOpenId(): readonly [string, (id: string) => void] {
  const { platform } = useDriftline()
  const [openId, setOpenId] = useState(() => {
    // The address names the workspace only on the first load; session storage keeps it for reloads.
    // The address may have changed since the page began to load.
    const first = readAddress().open || platform.openFirst
    if (first) sessionStorage.setItem(OPEN_KEY, first)
    return sessionStorage.getItem(OPEN_KEY) ?? ''
  })
  const open = useCallback((id: string) => {
    sessionStorage.setItem(OPEN_KEY, id)
    setOpenId(id)
  }, [])
  return [openId, open]
}

/** [UI-10] Back and Forward lead to another workspace, or to the first screen; the open workspace is in the address. */
export function useWorkspaceAddress(openId: string, open: (id: string) => void): void {
  const first = useRef(true)
  useEffect(() => onAddress((address) => open(address.open)), [open])
  useEffect(() => {
    const now = readAddress()
    if (now.open !== openId)
      showAddress({ ...NO_ADDRESS, open: openId, settings: now.settings }, { replace: first.current })
    first.current = false
  }, [openId])
}

const LAST = 'ui.last-open'

/** Opens the last workspace in a new window if that is the preference, and stores the current one. */
export function useStart(openId: string, open: (id: string) => void): void {
  const { client } = useDriftline()
  const settings = useQuery('settings.get', {})
  const places = usePlaces()
  const decided = useRef(false)

  useEffect(() => {
    if (openId !== '') decided.current = true
    if (decided.current || !settings.data || !places.isLoaded) return
    decided.current = true
    const { values } = settings.data
    const last = places.all.find(({ id }) => id === values[LAST])
    if (values['ui.start'] === 'last' && last?.folder === 'present') open(last.id)
  }, [openId, settings.data, places, open])

  useEffect(() => {
    if (openId === '' || openId === TODAY) return
    client.call('settings.set', { key: LAST, value: openId }).catch(() => {
      // Disconnected: the next opened workspace is stored instead.
    })
  }, [client, openId])
}

/** A workspace that was removed in another window closes. A list read before it was added does not hold it, either. */
export function useClosing(openId: string, open: (id: string) => void, places: Places, isListed: boolean): void {
  const { queries } = useDriftline()
  const list = useQuery('workspaces.list', {})
  const host = hostOf(openId)
  const place = places.hosts.find(({ name }) => name === host)
  // A host that does not answer may still have it.
  const isAsked = host === null ? list.data !== null && list.current : places.isLoaded && place?.phase !== 'connecting'
  const isMissing = openId !== '' && openId !== TODAY && isAsked && !isListed
  useEffect(() => {
    if (!isMissing) return
    let cancelled = false
    const key = [host === null ? 'workspaces.list' : 'hosts.list', {}]
    const isListedNow = () => {
      const data = queries.cache.getQueryData<Result<'workspaces.list'> | Result<'hosts.list'>>(key)
      const all =
        data && 'hosts' in data
          ? data.hosts.flatMap(({ workspaces }) => workspaces)
          : data && [...data.workspaces, ...(data.bundles ?? [])]
      return all?.some(({ id }) => id === openId) === true
    }
    queries.fetchNow(key).then(
      () => {
        if (!cancelled && !isListedNow()) open('')
      },
      () => {
        // Disconnected: the list is read again with the next connection.
      }
    )
    return () => {
      cancelled = true
    }
  }, [isMissing, host, openId, open, queries])
}
