/** Steps that only a person can do: install an agent, or trust Driftline's hooks in Codex. */

import { shortPath } from '../../../contract/words/paths.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import type { AgentView } from './use-agents.ts'

interface SetupHelpProps {
  readonly view: AgentView
  readonly name: string
  readonly about: 'how' | 'trust'
  readonly home: string
  readonly onConnect: () => void
  readonly onClose: () => void
}

export function SetupHelp({ view, name, about, home, onConnect, onClose }: SetupHelpProps) {
  return (
    <InlinePanel
      label={about === 'trust' ? 'How to trust Driftline’s hooks in Codex' : `How to connect ${name}`}
      problem={null}
      onClose={onClose}
    >
      {about === 'trust' ? (
        <>
          <p className="small">
            Codex silently skips hooks that you have not trusted. Driftline never sets this trust for you:
          </p>
          <ol className="how">
            <li>Open Codex in a terminal, in any folder.</li>
            <li>
              Type <code className="mono">/hooks</code> and press Enter.
            </li>
            <li>Review the {view.state.entries.wanted} Driftline entries and trust each one.</li>
          </ol>
          <p className="small muted">
            The hook commands never change, so Codex asks only once. This notice disappears after the first event from
            Codex.
          </p>
        </>
      ) : (
        <>
          <p className="small">
            Neither its program on your PATH nor {shortPath(folderOf(view.state.file), home)} was found. It appears here
            once it is installed.
          </p>
          <p className="small muted">
            Installed elsewhere? Connecting writes {shortPath(view.state.file, home)}, which it reads on its next start.
            Until then, record any command as one run with <code className="mono">driftline run -- your-agent</code>.
          </p>
        </>
      )}
      <div className="cap-row">
        <span className="grow" />
        {about === 'trust' ? (
          <CopyButton label="Copy /hooks" text="/hooks" />
        ) : (
          <Button onClick={onConnect}>Connect anyway…</Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </InlinePanel>
  )
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}
