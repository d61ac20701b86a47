import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditFileRow } from '#contract/audits/audit-file.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { crcLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'

/** What is understood of a file: when it was read, its totals, and how it follows the previous reading. */
export function ReadingOfFile({ row, merchantId }: { row: AuditFileRow; merchantId: string }) {
  const { t } = useTranslation(['audit-file', 'reconciliation'])
  const format = useFormat()
  const { timeZone } = useMerchantOf(merchantId)
  const { readAt, isDated, kind, crc, currency, salesTotal, vendsTotal, selections, machine } = row
  if (crc === null) return null
  const vends =
    vendsTotal === null ? null : t('reconciliation:vends', { count: vendsTotal, number: format.number(vendsTotal) })
  const amount = salesTotal === null || currency === null ? null : format.money(salesTotal, currency)
  const totals = [vends, amount].filter((part) => part !== null).join(', ')
  return (
    <Stack gap="hair">
      {readAt && isDated && <When at={readAt} as="exact" timeZone={timeZone} />}
      {machine && <span>{totals || t('audit-file:noTotals')}</span>}
      <Text span c="dimmed" fz="sm">
        {[
          t('audit-file:selections', { count: selections, number: format.number(selections) }),
          ...(kind ? [t(`reconciliation:kind.${kind}`)] : []),
        ].join(' · ')}
      </Text>
      <span>
        <StatusBadge of={crcLooks} value={crc} />
      </span>
    </Stack>
  )
}
