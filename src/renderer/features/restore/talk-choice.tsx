/** Pinned under the files of a restore: whether the conversation goes back too, and what becomes of it. */
import type { ConversationPlan } from '../../../contract/conversation.ts'
import type { RestoreMode, RestorePlan } from '../../../contract/restore.ts'
import { plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { MODE_WORDS, MODES, talkWords, whyNotTalk } from './talk-words.ts'

interface TalkChoiceProps {
  readonly plan: RestorePlan
  /** What was chosen; the plan of it may still be on its way. */
  readonly mode: RestoreMode
  /** null: this act goes with the conversation it went with before. */
  readonly onMode: ((mode: RestoreMode) => void) | null
}

export function TalkChoice({ plan, mode, onMode }: TalkChoiceProps) {
  const { conversation } = plan
  if (!conversation) return null
  const why = whyNotTalk(plan)
  return (
    <section className="convo" aria-label="Conversation">
      {onMode ? (
        <div className="row">
          <b className="grow">What goes back</b>
          <Segmented
            tight
            label="What goes back"
            value={mode}
            options={MODES.map((value) => ({
              value,
              label: MODE_WORDS[value],
              disabled: plan.modes.find((one) => one.mode === value)?.possible === false ? why : null
            }))}
            onChange={onMode}
          />
        </div>
      ) : (
        <b>The conversation goes with them</b>
      )}
      <p className="small muted">{why || talkWords(conversation, mode)}</p>
    </section>
  )
}

/** In the place of a file's preview, where no file changes. */
export function TalkPreview({ plan, mode }: { readonly plan: ConversationPlan; readonly mode: RestoreMode }) {
  const moves = mode !== 'files' && plan.supersedes > 0
  return (
    <div className="rdiff">
      <div className="blank">
        <Icon name="chat" size="big" />
        <h3>{moves ? `${plural(plan.supersedes, 'message')} set aside` : 'No file changes.'}</h3>
        {moves && plan.prompt ? (
          <p>From “{plan.prompt.slice(0, 200)}” on. They stay readable in the conversation, marked as taken back.</p>
        ) : null}
      </div>
    </div>
  )
}
