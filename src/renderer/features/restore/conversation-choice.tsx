/** Below the files of a restore: whether the conversation is restored, too, and the effect on it. */
import type { ConversationPlan } from '../../../contract/conversation.ts'
import type { RestoreMode, RestorePlan } from '../../../contract/restore.ts'
import { conversationText, MODE_LABELS, MODES, modeUnavailableReason } from '../../../contract/words/conversation.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { Blank } from '../../ui/blank.tsx'
import { Segmented } from '../../ui/segmented.tsx'

interface ConversationChoiceProps {
  readonly plan: RestorePlan
  /** The chosen mode; its plan may still be loading. */
  readonly mode: RestoreMode
  /** null if the mode is fixed: an undo or redo repeats the mode of its restore. */
  readonly onMode: ((mode: RestoreMode) => void) | null
}

export function ConversationChoice({ plan, mode, onMode }: ConversationChoiceProps) {
  const { conversation } = plan
  if (!conversation) return null
  const why = modeUnavailableReason(plan)
  return (
    <section className="restore-part" aria-label="Conversation">
      {onMode ? (
        <div className="row">
          <b className="grow">What to restore</b>
          <Segmented
            tight
            label="What to restore"
            value={mode}
            options={MODES.map((value) => ({
              value,
              label: MODE_LABELS[value],
              disabled: plan.modes.find(({ mode: candidate }) => candidate === value)?.possible === false ? why : null
            }))}
            onChange={onMode}
          />
        </div>
      ) : (
        <b>The conversation is included</b>
      )}
      <p className="small muted">{why || conversationText(conversation, mode)}</p>
    </section>
  )
}

/** Replaces the file preview if no files change. */
export function ConversationPreview({ plan, mode }: { readonly plan: ConversationPlan; readonly mode: RestoreMode }) {
  const setsAside = mode !== 'files' && plan.supersedes > 0
  return (
    <div className="restore-diff">
      <Blank icon="chat" title={setsAside ? `${plural(plan.supersedes, 'message')} set aside` : 'No files change.'}>
        {setsAside && plan.prompt ? (
          <p>Starting at “{plan.prompt.slice(0, 200)}”. They stay readable in the conversation, marked as undone.</p>
        ) : null}
      </Blank>
    </div>
  )
}
