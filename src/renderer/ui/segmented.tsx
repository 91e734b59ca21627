/** A choice between a few options as a group of toggle buttons. */
interface Option<T extends string> {
  readonly value: T
  readonly label: string
  /** Why the option is unavailable. */
  readonly disabled?: string | null
}

interface SegmentedProps<T extends string> {
  readonly label: string
  readonly options: readonly Option<T>[]
  readonly value: T
  readonly onChange: (value: T) => void
  readonly tight?: boolean
}

export function Segmented<T extends string>({ label, options, value, onChange, tight }: SegmentedProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and borders; the group has a name.
    <span className={tight ? 'seg tight' : 'seg'} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          type="button"
          key={option.value}
          aria-pressed={option.value === value}
          aria-disabled={option.disabled ? true : undefined}
          aria-description={option.disabled ?? undefined}
          data-tip={option.disabled ?? undefined}
          onClick={() => {
            if (!option.disabled) onChange(option.value)
          }}
        >
          {option.label}
        </button>
      ))}
    </span>
  )
}
