/** The state of a tool call; while it works, its running time. */
import type { ToolCall } from '../../../contract/conversation.ts'
import { callStatus, isWorking } from '../../../contract/words/tool-calls.ts'
import { useNow } from '../../ui/use-now.ts'

export function CallStatus({ call }: { readonly call: ToolCall }) {
  return callStatus(call, useNow(isWorking(call)))
}
