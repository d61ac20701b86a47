import { Button } from '@mantine/core'
import { IconCashBanknote } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refunds } from '#contract/cashless/refund.ts'
import type { Transaction } from '#contract/sales/transaction.ts'
import { chargedForFailure, isFailedVend } from '#domain/sales/sale.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { newId } from '#portal/app/uuid.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

/** Whether a failed vend was charged to a registered medium, so that it can be paid back, or was. */
export const isRefundable = (sale: Transaction) =>
  isFailedVend(sale) && chargedForFailure(sale) > 0 && Boolean(sale.mediaId)

/** Pays back to its medium, with one click, what may still be refunded of a failed vend. */
export function RefundSaleButton({ sale, size = 'xs' }: { sale: Transaction; size?: 'xs' | 'sm' }) {
  const { t } = useTranslation('refund')
  const format = useFormat()
  const [id] = useState(newId)
  const refund = useCommand(refunds.refundMedia, {
    says: ({ amount, currency }) => ({ key: 'refund:done', values: { amount: format.money(amount, currency) } }),
  })
  const mayRefund = useMay(refunds.refundMedia)
  if (!isRefundable(sale)) return null
  const amount = sale.refundable ?? 0
  if (amount === 0 && sale.refundId)
    return (
      <Badge tone="ok" mark="check">
        {t('refunded')}
      </Badge>
    )
  if (!mayRefund || amount === 0) return null
  const { merchantId, mediaId, currency } = sale
  return (
    <Button
      size={size}
      variant={size === 'xs' ? 'light' : 'filled'}
      leftSection={<IconCashBanknote size={15} aria-hidden />}
      loading={refund.isPending}
      onClick={(event) => {
        event.stopPropagation()
        refund.mutate({
          params: { merchantId, mediaId: mediaId ?? '' },
          body: { id, refund: { amount, currency, reason: t('failedVend') }, transactionId: sale.id },
        })
      }}
    >
      {t('one.confirm')}
    </Button>
  )
}
