import { IconAlertTriangle, IconArrowDownLeft, IconArrowUpRight, IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customerMedias, type OwnTransaction } from '#contract/key-portal/customer-media.ts'
import { usePaged } from '../app/api.ts'
import { Answer } from './Failure.tsx'
import { Pager } from './Pager.tsx'
import { Card, Empty, Row } from './parts.tsx'
import { Amount, useWhen } from './values.tsx'

/** What media did at machines. */
export function Transactions({
  mediaId,
  size,
  isPaged = false,
}: {
  mediaId?: string
  size: number
  isPaged?: boolean
}) {
  const { t } = useTranslation('key-app')
  const [page, setPage] = useState(1)
  const query = { ...(mediaId && { mediaId }), page, size }
  const transactions = usePaged(customerMedias.listOwnTransactions, { query })
  return (
    <Answer answer={transactions} isDated={isPaged}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Empty icon={<IconReceipt aria-hidden />} title={t('activity.none')}>
            <p>{t('activity.noneText')}</p>
          </Empty>
        ) : (
          <>
            <Card className="list">
              {items.map((one) => (
                <TransactionRow key={one.id} transaction={one} />
              ))}
            </Card>
            {isPaged && <Pager page={page} size={size} total={total} onPage={setPage} />}
          </>
        )
      }
    </Answer>
  )
}

/** Types that pay in: recharges, bonus, refunds, and their like in the cloud. */
const incoming = new Set([4, 5, 6, 13, 16, 107, 108, 109, 110])

function TransactionRow({ transaction }: { transaction: OwnTransaction }) {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const { product, type, at, machineName, amount, currency, isFailed, refundable, machineCode } = transaction
  const isIn = incoming.has(type)
  // A failed vend that was charged leads to its claim.
  const claim = machineCode && refundable > 0 ? `/m/${machineCode}/claim?amount=${refundable}` : undefined
  const name = product ?? (isIn ? t('activity.in') : t('activity.out'))
  return (
    <Row
      icon={
        isFailed ? (
          <IconAlertTriangle aria-hidden />
        ) : isIn ? (
          <IconArrowDownLeft aria-hidden />
        ) : (
          <IconArrowUpRight aria-hidden />
        )
      }
      title={name}
      note={
        <>
          {when(at)} · {machineName}
          {isFailed && <> · {t(amount > 0 ? 'activity.charged' : 'activity.failed')}</>}
          {claim && <> · {t('activity.report')}</>}
        </>
      }
      end={
        isFailed && amount === 0 ? (
          '–'
        ) : (
          <span className={isIn ? 'incoming' : undefined}>
            <Amount minor={isIn ? amount : -amount} currency={currency} isSigned />
          </span>
        )
      }
      {...(claim && { to: claim })}
    />
  )
}
