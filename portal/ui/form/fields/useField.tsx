import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SchemaForm } from '../useSchemaForm.ts'

/** Props of every field of a form; its rule is the form's schema. */
export interface FieldProps<T extends Record<string, unknown>> {
  form: SchemaForm<T>
  /** The field's name in the schema; parts of an object are named with a dot. */
  name: (keyof T & string) | `${keyof T & string}.${string}`
  label: string
  description?: ReactNode
  isRequired?: boolean
  isDisabled?: boolean
  isReadOnly?: boolean
  /** Its input is never stored in the browser. */
  isSecret?: boolean
  /** The field's content is loading. */
  isLoading?: boolean
}

/** The properties of a field for its input. */
export type FieldInput = ReturnType<typeof useField>['input']

/** Connects a form's field and its input. `Value` is the type of the field in the schema. */
export function useField<Value, T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { form, name, label, description, isRequired, isDisabled, isReadOnly, isLoading } = props
  if (props.isSecret) form.secrets.add(name)
  const bound = form.getInputProps(name)
  // A value of several parts shows the error of its first invalid part.
  const ofPart = Object.keys(form.errors).find((path) => path.startsWith(`${name}.`))
  return {
    value: bound.value as Value,
    set: (value: Value) => {
      if (ofPart) form.setErrors({ ...form.errors, [ofPart]: null })
      bound.onChange(value)
    },
    /** Validates the field, as on blur. */
    leave: () => bound.onBlur?.(),
    isFixed: Boolean(isDisabled || isReadOnly || isLoading),
    input: {
      label,
      description,
      error: (bound.error ?? (ofPart && form.errors[ofPart])) as ReactNode,
      withAsterisk: isRequired,
      required: isRequired,
      disabled: isDisabled,
      readOnly: isReadOnly || isLoading,
      'aria-busy': isLoading || undefined,
      ...(isLoading && { rightSection: <Loader size={14} /> }),
      inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    },
  }
}
