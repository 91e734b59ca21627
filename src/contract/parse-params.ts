/** Checks the parameters of a call with the schema of its method. */
import { z } from 'zod'
import { PARAMS, type ParamsByMethod } from './params.ts'
import { formatNumber } from './words/numbers.ts'

/**
 * What is wrong with what a caller sent, as a sentence part: `unknown parameter "pahts"` first, else the first wrong
 * value with its place.
 */
function complaint({ issues }: z.ZodError): string {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  const at = issue?.path.join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `"${key}"`).join(', ')
    return `unknown parameter ${keys}${at === '' ? '' : ` in ${at}`}`
  }
  return `${at || 'params'}: ${issue ? problemOf(issue) : 'invalid'}`
}

/** A text or list of the wrong length is worded here, unless its schema words it: people see it, as for a long name. */
function problemOf(issue: z.core.$ZodIssue): string {
  if (!issue.message.startsWith('Too big: expected string')) return issue.message
  return `at most ${formatNumber(Number((issue as z.core.$ZodIssueTooBig).maximum))} characters`
}

// Most schemas check a few calls of a process: compiling a function for each takes longer than it saves.
z.config({ jitless: true })

/** Of the methods that were called. */
const schemas = new Map<string, z.ZodType>()

/** Checks the parameters of a call. Returns them, or the sentence part that says what is wrong. */
export function parseParams<M extends keyof typeof PARAMS>(
  method: M,
  params: unknown
): { readonly params: ParamsByMethod[M] } | { readonly wrong: string } {
  const schema = schemas.get(method) ?? PARAMS[method]()
  schemas.set(method, schema)
  const parsed = schema.safeParse(params)
  return parsed.success ? { params: parsed.data as ParamsByMethod[M] } : { wrong: complaint(parsed.error) }
}
