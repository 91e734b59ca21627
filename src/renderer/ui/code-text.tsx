/** [UI-12] A sentence with commands in backticks. `command`: what starts Driftline on this computer, in place of its name. */
export function CodeText({ text, command }: { readonly text: string; readonly command: string }) {
  return text.split('`').map((part, at) => {
    if (at % 2 === 0) return part
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no identity of their own.
      <code className="mono" key={at}>
        {part.replace(/^driftline(?= |$)/, () => command)}
      </code>
    )
  })
}
