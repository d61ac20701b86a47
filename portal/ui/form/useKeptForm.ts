import { useMemo } from 'react'
import type { z } from 'zod'
import { filledFrom, withoutSecrets } from './keptInput.ts'
import { useKeptInput } from './useKeptInput.ts'
import { type SchemaForm, useSchemaForm } from './useSchemaForm.ts'

/** A form of a schema in a dialog, whose input is kept when the session ends. `name` is the form at its address, with the record's id. */
export function useKeptForm<T extends Record<string, unknown>>(
  name: string,
  schema: z.ZodType,
  initial: T,
): SchemaForm<T> {
  const form = useSchemaForm(schema, initial)
  const values = form.getValues()
  useKeptInput({
    name,
    input: useMemo(() => withoutSecrets(values, form.secrets), [values, form.secrets]),
    isDirty: form.isDirty(),
    restore: (values) => form.setValues(filledFrom(form.getValues(), values)),
  })
  return form
}
