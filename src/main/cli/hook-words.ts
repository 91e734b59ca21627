/**
 * The words of a `driftline hook` call. Apart from arguments.ts, because agents wait for a hook and it reports no
 * mistakes.
 */

/** Options with which a person asks for the help of a command. */
export const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

interface HookWords {
  /** `hook AGENT EVENT`, without options. */
  readonly words: readonly string[]
  /** The value of `--data`. */
  readonly data: string | undefined
}

/** Whether an agent calls a hook: a person who types `driftline hook --help` wants its help. `argv`: all arguments. */
export function isHookCall(argv: readonly string[]): boolean {
  const [name, agent = ''] = hookWords(argv).words
  return name === 'hook' && !HELP.has(agent)
}

/** `argv`: all arguments of the program. Like every command, `hook` takes its options before and after its name. */
export function hookWords(argv: readonly string[]): HookWords {
  const words: string[] = []
  let data: string | undefined
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word === '--data') data = argv[++at]
    else if (word.startsWith('--data=')) data = word.slice('--data='.length)
    else words.push(word)
  }
  return { words, data }
}
