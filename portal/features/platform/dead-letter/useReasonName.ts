import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { DeadLetterReason } from '#contract/platform/dead-letter.ts'

/** The name of a reason; a reason of another version is shown as it is. */
export function useReasonName() {
  const { t } = useTranslation('dead-letter')
  return useCallback(
    (reason: string) => {
      const parsed = DeadLetterReason.safeParse(reason)
      return parsed.success ? t(`reason.${parsed.data}`) : reason
    },
    [t],
  )
}
