import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { stockMovements } from '#contract/stock/stock-movement.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import classes from './Stock.module.css'

/** The pieces that counts lacked in the filtered movements. */
export function Shrinkage({ posId, filter }: { posId: string; filter: Record<string, unknown> }) {
  const { t } = useTranslation('stock-movement')
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const query = { ...filter, page: 1, size: 1 }
  const { data } = useQuery(queryOf(stockMovements.listStockMovements, { params: { merchantId, posId }, query }))
  if (!data || data.total === 0) return null
  const { shrinkage } = data
  return (
    <Text maw="90ch" c="dimmed" fz="sm" className={classes.note}>
      <strong>{t('shrinkage.some', { count: Math.abs(shrinkage), number: format.number(shrinkage) })}</strong>{' '}
      {t('shrinkage.what')}
    </Text>
  )
}
