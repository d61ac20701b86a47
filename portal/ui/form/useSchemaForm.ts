import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ruleOf, valueAt } from './ruleOf.ts'

export type SchemaForm<T extends Record<string, unknown>> = UseFormReturnType<T>

/** A form checked by a schema of the contract, while typing and on save; each broken rule is said at its field. */
export function useSchemaForm<T extends Record<string, unknown>>(schema: z.ZodType, initial: T): SchemaForm<T> {
  const { t } = useTranslation('ui')
  const validate = useMemo(
    () => (values: T) => {
      const errors: Record<string, string> = {}
      for (const issue of schema.safeParse(values).error?.issues ?? []) {
        const rule = ruleOf(issue, valueAt(values, issue.path))
        errors[issue.path.join('.')] ??= t(rule.key, rule.values ?? {})
      }
      return errors
    },
    [schema, t],
  )
  return useForm<T>({
    mode: 'controlled',
    initialValues: initial,
    validate,
    validateInputOnBlur: true,
    clearInputErrorOnChange: true,
  })
}
