import { Text, type TextProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isLost } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'

/** The phone's time zone. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

interface Props extends TextProps {
  query: { data?: unknown; error: unknown; dataUpdatedAt: number }
}

/** Says of when an answer is, while the server can't be reached. */
export function AsOf({ query: { data, error, dataUpdatedAt }, ...props }: Props) {
  const { t } = useTranslation('round')
  const format = useFormat()
  const { offline } = useSession()
  if (data === undefined || !(offline || isLost(error))) return null
  return (
    <Text fz="sm" c="dimmed" {...props}>
      {t('offline.asOf', { at: format.instant(new Date(dataUpdatedAt), 'minute', zone) })}
    </Text>
  )
}
