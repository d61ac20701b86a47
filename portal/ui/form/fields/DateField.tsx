import { DayInput } from './DayInput.tsx'
import { type FieldProps, useField } from './useField.tsx'

interface Props<T extends Record<string, unknown>> extends FieldProps<T> {
  /** The first and last day that the calendar offers; the schema refuses the others. */
  min?: string
  max?: string
}

/** A calendar day, which has no zone. */
export function DateField<T extends Record<string, unknown>>(props: Props<T>) {
  const { value, set, leave, input } = useField<string | null, T>(props)
  return <DayInput {...input} value={value} set={set} onBlur={leave} min={props.min} max={props.max} />
}
