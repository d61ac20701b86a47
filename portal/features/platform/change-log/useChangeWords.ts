import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldWords } from './fieldWords.ts'

/** The word of a code, else the code itself. */
const wordOr = (t: TFunction, key: string, raw: string) => t(key, { defaultValue: raw })

const files = [...new Set(fieldWords.map(([file]) => file))]

/** Names of the log's codes. */
export function useChangeWords() {
  const { t } = useTranslation(files)
  return useMemo(
    () => ({
      actionName: (action: string) => wordOr(t, `change-log:action.${action}`, action),
      subjectName: (subject: string) => wordOr(t, `change-log:subject.${subject}`, subject),
      fieldName: (field: string) =>
        t([`change-log:field.${field}`, ...fieldWords.map(([file, part]) => `${file}:${part}.${field}`)], {
          defaultValue: field,
        }),
    }),
    [t],
  )
}
