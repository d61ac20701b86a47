import { useTranslation } from 'react-i18next'
import { ApiError } from '../../app/apiError.ts'
import { sentenceOf } from '../../ui/ErrorState.tsx'
import type { SchemaForm } from '../../ui/form/useSchemaForm.ts'
import type { ClientValues } from './clientForm.ts'

/** Says at its field which of code and name is taken, of what a save has thrown, and throws it on. */
export function useTaken(form: SchemaForm<ClientValues>) {
  const { t } = useTranslation('errors')
  return (error: unknown): never => {
    if (error instanceof ApiError && error.code === 'ClientAlreadyExists')
      form.setFieldError(
        error.facts.field === 'name' ? 'name' : 'code',
        sentenceOf((key, values) => t(key, values), error),
      )
    throw error
  }
}
