/** All keys, generated from the command table. */
import { useCommandHub } from '../../commands/hub.tsx'
import { AREAS, keyedCommands, titleOfCommand } from '../../commands/table.ts'
import { CloseFooter, Dialog } from '../../ui/dialog.tsx'
import { showKeys } from '../../ui/keys.ts'

export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  const state = useCommandHub().state()
  return (
    <Dialog labelledBy="help-title" className="dialog help" initialFocus=".btn" onClose={onClose}>
      <header>
        <h1 id="help-title">Keyboard shortcuts</h1>
        <p className="muted small">Single-letter keys work while a list has focus. Turn them off in Settings.</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by key. */}
      <section className="help-columns" tabIndex={0} aria-label="Shortcuts">
        {AREAS.map(({ when, title }) => (
          <section key={when}>
            <h2 className="label">{title}</h2>
            <dl>
              {keyedCommands(when, state).map((command) => (
                <div key={command.id}>
                  <dt>{titleOfCommand(command, state)}</dt>
                  <dd>
                    {command.keys.map((keys) => (
                      <kbd className="box" key={keys}>
                        {showKeys(keys)}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
      <CloseFooter onClose={onClose} />
    </Dialog>
  )
}
