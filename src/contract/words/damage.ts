/** What is shown in the place of a stored text that is damaged. Pure. */

const WHAT_TO_DO = 'Run "driftline doctor" to see what is affected.'

export const DAMAGED_MESSAGE = `[The stored text of this message is damaged and cannot be shown. The rest of the conversation is not affected. ${WHAT_TO_DO}]`
export const DAMAGED_PROMPT = '[damaged prompt]'
export const DAMAGED_OUTPUT = `[The stored output of this command is damaged and cannot be shown. ${WHAT_TO_DO}]`
export const DAMAGED_RECORD = `[This stored record of the transcript is damaged and cannot be shown. ${WHAT_TO_DO}]`
