/**
 * Runs that end or are stopped while the window does not have the focus: their number, and in a browser a notification of
 * each. The desktop app shows its own. Do-not-disturb is left to the system.
 */
import { useEffect, useState } from 'react'
import type { Client, EngineEvents } from '../../contract/api.ts'
import { toErrorShape } from '../../contract/errors.ts'
import { hostOf } from '../../contract/hosts.ts'
import { stoppedTitle } from '../../contract/words/brake.ts'
import { runEndedText } from '../../contract/words/events.ts'
import { useDriftline } from '../client/context.tsx'

/** The number, until the window has the focus again. `open` shows a workspace when its notification is clicked. */
export function useUnseenEnds(open: (workspace: string) => void): number {
  const { client, platform } = useDriftline()
  const [unseen, setUnseen] = useState(0)
  useEffect(() => {
    const show = (about: Notice): void => {
      if (document.hasFocus()) return
      setUnseen((count) => count + 1)
      if (platform.kind === 'browser' && mayNotify()) void notify(client, about, open)
    }
    const stops = [
      client.on('run.ended', ({ files, ...run }) => show({ ...run, titleIn: (name) => runEndedText(files, name) })),
      client.on('brake.stopped', (stopped) => show({ ...stopped, titleIn: (name) => stoppedTitle(stopped, name) }))
    ]
    const reset = () => setUnseen(0)
    window.addEventListener('focus', reset)
    return () => {
      for (const stop of stops) stop()
      window.removeEventListener('focus', reset)
    }
  }, [client, platform, open])
  return unseen
}

/** A person allowed it in the browser, which asks once. */
function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted'
}

/** `titleIn`: of the notification, with the name of the folder. */
interface Notice extends Pick<EngineEvents['run.ended'], 'workspace' | 'run' | 'title'> {
  titleIn(name: string): string
}

async function notify(
  client: Client,
  { workspace, run, title, titleIn }: Notice,
  open: (workspace: string) => void
): Promise<void> {
  try {
    const [{ values }, { workspaces }, { hosts }] = await Promise.all([
      client.call('settings.get', {}),
      client.call('workspaces.list', {}),
      client.call('hosts.list', {})
    ])
    if (values['desktop.notifications'] === 'no') return
    const all = [...workspaces, ...hosts.flatMap((place) => place.workspaces)]
    const host = hostOf(workspace)
    const name = `${all.find(({ id }) => id === workspace)?.name ?? 'a folder'}${host === null ? '' : ` on ${host}`}`
    // Tabs on the same page replace each other's: one run is one notification.
    const shown = new Notification(titleIn(name), { body: title, tag: run })
    shown.onclick = () => {
      window.focus()
      open(workspace)
      shown.close()
    }
  } catch (thrown) {
    // Expected: Disconnected, when the recorder was just restarted. The title still counts the run.
    if (toErrorShape(thrown).code !== 'Disconnected') console.warn('a notification could not be shown', thrown)
  }
}
