/** Other machines whose folders this window opens. */
import { usePlaces } from '../../client/places.ts'
import { AddHostForm, HostAddingPanel } from '../hosts/add-host.tsx'
import { HostList } from '../hosts/host-list.tsx'
import { useAddHost } from '../hosts/use-add-host.ts'
import type { PageProps } from './page-props.ts'

export function HostsPage({ onOpen }: PageProps) {
  const { hosts } = usePlaces()
  const adding = useAddHost()
  return (
    <>
      <h1>Hosts</h1>
      <p className="muted">
        Servers, containers and other machines that record where their files are. Their folders open in this window;
        nothing listens on the network.
      </p>
      <HostList hosts={hosts} adding={adding} onOpen={onOpen} />
      <HostAddingPanel adding={adding} isLive />
      <AddHostForm adding={adding} />
      <p className="small muted settings-after">
        Adding a host copies the Driftline of this computer to it, about 2 MB, unless it is there already. What was last
        shown of a host is stored on this computer, up to 2 MB, so that it stays readable while the host is out of
        reach.
      </p>
    </>
  )
}
