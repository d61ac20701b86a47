import { Button, Flex, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { claimSaleMinutes } from '#contract/key-portal/claim.ts'
import type { Transaction } from '#contract/sales/transaction.ts'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Claim.module.css'

interface Props {
  /** Undefined without a moment. */
  sales: Pick<UseQueryResult<Transaction[]>, 'data' | 'error' | 'refetch'> | undefined
  /** The vend that the address names; it is picked at first. */
  named: string | undefined
  picked: string | null
  pick: (sale: Transaction | undefined) => void
}

/** The vends of a machine around a moment: one of them is what the caller means. */
export function ClaimSales({ sales, named, picked, pick }: Props) {
  const { t } = useTranslation('claim')
  const isFirst = useRef(true)
  const meant = sales?.data?.find(({ id }) => id === named)
  useEffect(() => {
    if (!meant || !isFirst.current) return
    isFirst.current = false
    pick(meant)
  }, [meant, pick])
  return (
    <Card title={t('new.sales')} note={t('new.window', { minutes: claimSaleMinutes })} isFlush>
      {sales?.error && !sales.data ? (
        <ErrorState error={sales.error} retry={sales.refetch} isSmall />
      ) : sales?.data?.length === 0 ? (
        <p className={classes.none}>{t('new.none')}</p>
      ) : (
        <ol aria-busy={sales !== undefined && !sales.data} style={{ minHeight: 58 }}>
          {sales?.data?.map((sale) => (
            <ClaimSale key={sale.id} sale={sale} isPicked={sale.id === picked} pick={pick} />
          ))}
        </ol>
      )}
    </Card>
  )
}

interface SaleProps {
  sale: Transaction
  isPicked: boolean
  pick: Props['pick']
}

function ClaimSale({ sale, isPicked, pick }: SaleProps) {
  const { t } = useTranslation('claim')
  const names = useCodeNames()
  return (
    <Group
      component="li"
      gap="part"
      wrap="nowrap"
      py="xs"
      px="wide"
      className={classes.entry}
      data-kind="transaction"
      data-failed={sale.errorSale || undefined}
      data-picked={isPicked || undefined}
    >
      <Flex flex="1" rowGap="hair" columnGap="xs" wrap="wrap" align="baseline" miw={0}>
        <Text span c="dimmed" fz="sm">
          <When at={sale.createdAt} as="time" timeZone={sale.timeZone} />
        </Text>
        <strong>{sale.product ?? names.type(sale.type)}</strong>
        <Amount minor={sale.value} currency={sale.currency} />
        <Outcome sale={sale} />
        <span className={classes.fine}>
          {[names.mediaType(sale.paidWith), sale.mediaSerial].filter(Boolean).join(' · ')}
        </span>
      </Flex>
      <Button
        size="xs"
        variant={isPicked ? 'filled' : 'default'}
        aria-pressed={isPicked}
        onClick={() => pick(isPicked ? undefined : sale)}
      >
        {t(isPicked ? 'log.picked' : 'log.pick')}
      </Button>
    </Group>
  )
}

/** What came of a vend, and whether it is paid back. */
function Outcome({ sale }: { sale: Transaction }) {
  const { t } = useTranslation('claim')
  if (sale.refundId)
    return (
      <Badge tone="ok" mark="check">
        {t('log.refunded')}
      </Badge>
    )
  return sale.errorSale ? (
    <Badge tone="crit" mark="triangle">
      {t('log.failed')}
    </Badge>
  ) : (
    <Badge tone="mute" mark="check">
      {t('new.vended')}
    </Badge>
  )
}
