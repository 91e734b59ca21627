/** All keys of the command table, and the switch for single-letter keys. */

import { useCommandHub } from '../../commands/hub.tsx'
import { isLetterKey } from '../../commands/pane-keys.ts'
import { AREAS, keyedCommands, titleOfCommand } from '../../commands/table.ts'
import { usePreferences } from '../../state/preferences.tsx'
import { showKeys } from '../../ui/keys.ts'
import { LETTER_KEYS, PreferenceRow } from './settings-table.tsx'

export function KeyboardPage() {
  const { letterKeys } = usePreferences()
  const state = useCommandHub().state()
  return (
    <>
      <h1>Keyboard</h1>
      <p className="muted">Everything works from the keyboard. An unavailable command says why.</p>
      <div className="set">
        <PreferenceRow setting={LETTER_KEYS} />
      </div>
      {AREAS.map(({ when, title }) => {
        const commands = keyedCommands(when, state)
        return (
          <section key={when} aria-labelledby={`keys-${when.replace(' ', '-')}`}>
            <h2 className="label settings-label" id={`keys-${when.replace(' ', '-')}`}>
              {title}
            </h2>
            <dl className="set keys">
              {commands.map((command) => (
                <div className="setting" key={command.id}>
                  <dt className="grow setting-text">{titleOfCommand(command, state)}</dt>
                  <dd>
                    {command.keys.map((keys) => {
                      const off = isLetterKey(keys) && !letterKeys
                      return (
                        <kbd className={off ? 'box key-off' : 'box'} key={keys}>
                          {showKeys(keys)}
                          {off ? <span className="sr"> (off)</span> : null}
                        </kbd>
                      )
                    })}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )
      })}
    </>
  )
}
