import { Button, Flex, Text } from '@mantine/core'
import { IconCashBanknote } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refunds } from '#contract/cashless/refund.ts'
import { claims } from '#contract/key-portal/claim.ts'
import type { Transaction } from '#contract/sales/transaction.ts'
import { isFailedVend } from '#domain/sales/sale.ts'
import { useCommand } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { newId } from '#portal/app/uuid.ts'
import { ConfirmDialog } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { placeOfNewClaim } from './placeOfNewClaim.ts'

interface Props {
  sale: Transaction
  size?: 'xs' | 'sm'
  /** In a row of a list: without a button that cannot be pressed, and without its reason. */
  isBrief?: boolean
  /** Called once the vend is refunded. */
  onDone?: () => void
}

/** Payers without a medium of the merchant: a claim finds one for them. */
const withoutMedium: readonly string[] = ['cash', 'card', 'unknownMedia']

/** Why a failed vend cannot be refunded by this user; null: it can. The server says what the sale allows. */
function useRefusal({ refundRefusal }: Transaction) {
  const mayRefund = useMay(refunds.refundMedia)
  // Merchants without the feature get no such field.
  if (refundRefusal === undefined) return 'feature'
  return refundRefusal ?? (mayRefund ? null : 'role')
}

/** Pays back to its payer what is left of a failed vend, after a confirmation; or says why it is not paid back. Nothing for other sales. */
export function RefundSaleButton({ sale, size = 'xs', isBrief = false, onDone }: Props) {
  const { t } = useTranslation('refund')
  const refusal = useRefusal(sale)
  if (!isFailedVend(sale)) return null
  if (refusal === null) return <Refund sale={sale} size={size} onDone={onDone} />
  if (refusal === 'refunded')
    return (
      <Badge tone="ok" mark="check">
        {t('refunded')}
      </Badge>
    )
  return isBrief ? null : <Refused sale={sale} size={size} refusal={refusal} />
}

function Refund({ sale, size, onDone }: Pick<Props, 'sale' | 'onDone'> & { size: 'xs' | 'sm' }) {
  const { t } = useTranslation('refund')
  const format = useFormat()
  const [id] = useState(newId)
  const [isOpen, setOpen] = useState<boolean>()
  const { merchantId, mediaId, mediaSerial, currency, posName, product, timeZone } = sale
  const minor = sale.refundable ?? 0
  const amount = format.money(minor, currency)
  const refund = useCommand(refunds.refundMedia, { says: () => ({ key: 'refund:done', values: { amount } }) })
  const at = instantOf(sale.createdAt)
  const act = async () => {
    await refund.mutateAsync({
      params: { merchantId, mediaId: mediaId ?? '' },
      body: { id, refund: { amount: minor, currency, reason: t('failedVend') }, transactionId: sale.id },
    })
    onDone?.()
  }
  return (
    // A click in the dialog is no click on the row below it.
    <span role="presentation" onClick={(event) => event.stopPropagation()}>
      <Button
        size={size}
        variant={size === 'xs' ? 'light' : 'filled'}
        leftSection={<IconCashBanknote size={15} aria-hidden />}
        loading={refund.isPending}
        onClick={() => setOpen(true)}
      >
        {t('sale.do', { amount })}
      </Button>
      {isOpen !== undefined && (
        <ConfirmDialog
          question={
            isOpen
              ? {
                  title: t('sale.title', { amount }),
                  consequence: t('sale.consequence', {
                    product: product ?? t('failedVend'),
                    machine: posName,
                    time: at && format.instant(at, 'minute', timeZone),
                    medium: mediaSerial ?? '',
                    amount,
                  }),
                  confirm: t('sale.do', { amount }),
                  dismiss: { how: 'dontRefund' },
                  act,
                }
              : undefined
          }
          close={() => setOpen(false)}
        />
      )}
    </span>
  )
}

/** The button that cannot be pressed, its reason, and for a payer without a medium the way to a claim. */
function Refused({ sale, size, refusal }: { sale: Transaction; size: 'xs' | 'sm'; refusal: string }) {
  const { t } = useTranslation('refund')
  const mayClaim = useMay(claims.createClaim)
  return (
    <Flex rowGap="snug" columnGap="xs" wrap="wrap" align="center">
      <Button size={size} variant="default" leftSection={<IconCashBanknote size={15} aria-hidden />} disabled>
        {t('one.confirm')}
      </Button>
      <Text span c="dimmed" fz="sm">
        {t(`why.${refusal}`)}{' '}
        {mayClaim && withoutMedium.includes(refusal) && (
          <PlaceLink place={placeOfNewClaim(sale)}>{t('claim')}</PlaceLink>
        )}
      </Text>
    </Flex>
  )
}
