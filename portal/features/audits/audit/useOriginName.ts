import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditRow } from '#contract/audits/audit.ts'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'

/** Why an audit was read, with the modem's own word for it. */
export function useOriginName() {
  const { t } = useTranslation(['audit', 'vocabulary'])
  return useCallback(
    ({ origin, originWord }: Pick<AuditRow, 'origin' | 'originWord'>) => {
      const name =
        nameOf(auditOrigins, origin) !== undefined
          ? t(`vocabulary:auditOrigin.${nameOf(auditOrigins, origin)}`)
          : t('audit:unknownOrigin', { origin })
      return originWord === null ? name : `${name} (${originWord})`
    },
    [t],
  )
}
