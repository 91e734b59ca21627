/** What a person has to do themselves: install an agent, or trust our commands in Codex. */
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { shortPath } from '../../ui/format.ts'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import type { AgentView } from './use-agents.ts'

interface HowToProps {
  readonly view: AgentView
  readonly name: string
  readonly about: 'how' | 'trust'
  readonly home: string
  readonly onConnect: () => void
  readonly onClose: () => void
}

export function HowTo({ view, name, about, home, onConnect, onClose }: HowToProps) {
  return (
    <InlinePanel
      label={about === 'trust' ? 'How Codex is told to trust our commands' : `How to connect ${name}`}
      problem={null}
      onClose={onClose}
    >
      {about === 'trust' ? (
        <>
          <p className="small">
            Codex skips every hook you have not trusted, without a word. Trust is yours to give, so Driftline never
            writes it for you:
          </p>
          <ol className="how">
            <li>Open Codex in a terminal, in any folder.</li>
            <li>
              Type <code className="mono">/hooks</code> and press Enter.
            </li>
            <li>Look at the Driftline entries, {view.state.entries.wanted} of them, and trust each.</li>
          </ol>
          <p className="small muted">
            The text of the commands never changes, so this is asked once. The first event from Codex ends this notice.
          </p>
        </>
      ) : (
        <>
          <p className="small">
            Neither its program on your PATH nor {shortPath(folderOf(view.state.file), home)} was found. Once it is
            installed it shows up here by itself.
          </p>
          <p className="small muted">
            Is it installed somewhere else? Connecting writes {shortPath(view.state.file, home)}, which it reads on its
            next start. Until then any command can be recorded as one run with{' '}
            <code className="mono">driftline run -- your-agent</code>.
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
