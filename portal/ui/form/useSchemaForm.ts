import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMemo, useState } from 'react'
import type { z } from 'zod'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import { useRuleSentence } from './useRuleSentence.ts'

export type SchemaForm<T extends Record<string, unknown>> = UseFormReturnType<T> & {
  /** Paths of fields whose input is secret: passwords, PINs, keys. It is never stored. */
  secrets: Set<string>
}

/** A form checked by a schema of the contract, while typing and on save; each broken rule is shown at its field. */
export function useSchemaForm<T extends Record<string, unknown>>(schema: z.ZodType, initial: T): SchemaForm<T> {
  const say = useRuleSentence()
  const validate = useMemo(
    () => (values: T) => {
      const errors: Record<string, string> = {}
      for (const issue of schema.safeParse(values).error?.issues ?? [])
        errors[issue.path.join('.')] ??= say(ruleOf(issue, valueAt(values, issue.path)))
      return errors
    },
    [schema, say],
  )
  const [secrets] = useState(() => new Set<string>())
  const form = useForm<T>({
    mode: 'controlled',
    initialValues: initial,
    validate,
    validateInputOnBlur: true,
    clearInputErrorOnChange: true,
  })
  return { ...form, secrets }
}
