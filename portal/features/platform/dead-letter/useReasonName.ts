import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { DeadLetterReason } from '#contract/platform/dead-letter.ts'

/** What a reason is called; one that another version wrote is shown as it came. */
export function useReasonName() {
  const { t } = useTranslation('dead-letter')
  return useCallback(
    (reason: string) => {
      const known = DeadLetterReason.safeParse(reason)
      return known.success ? t(`reason.${known.data}`) : reason
    },
    [t],
  )
}
