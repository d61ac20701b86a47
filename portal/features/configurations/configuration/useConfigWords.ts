import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConfigRow } from '#contract/configurations/configuration.ts'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'

/** The words for a configuration's reason and port. */
export function useConfigWords() {
  const { t } = useTranslation(['configuration', 'vocabulary'])
  return useMemo(
    () => ({
      origin: ({ origin }: Pick<ConfigRow, 'origin'>) =>
        nameOf(auditOrigins, origin) !== undefined
          ? t(`vocabulary:auditOrigin.${nameOf(auditOrigins, origin)}`)
          : t('configuration:unknownOrigin', { origin }),
      port: ({ port }: Pick<ConfigRow, 'port'>) => t(`vocabulary:auditPort.${port}`),
    }),
    [t],
  )
}
