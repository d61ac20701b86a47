import { type FieldProps, useField } from '../fields/useField.tsx'
import { DayInput } from './DayInput.tsx'

interface Props<T extends Record<string, unknown>> extends FieldProps<T> {
  /** The first and last day in the calendar; the schema refuses other days. */
  min?: string
  max?: string
}

/** A calendar day, which has no zone. */
export function DateField<T extends Record<string, unknown>>(props: Props<T>) {
  const { value, set, leave, input } = useField<string | null, T>(props)
  return <DayInput {...input} value={value} set={set} onBlur={leave} min={props.min} max={props.max} />
}
