import { Box, Flex, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Machine } from '#contract/machines/machine.ts'
import { type Transaction, transactions } from '#contract/sales/transaction.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { chargedForFailure } from '#domain/sales/sale.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeatureOf } from '#portal/app/feature.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMachine } from '#portal/features/machines/machine/useMachine.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { RefundSaleButton } from '../transaction/RefundSaleButton.tsx'
import classes from '../transaction/Transaction.module.css'
import { useCodeNames } from '../transaction/useCodeNames.ts'
import { failedVendsOf, failurePeriod } from './failedVendsOf.ts'

const most = 5

/** The last failed vends of the machine of the page, each with its refund or why there is none. */
export default function FailedVends() {
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { data: machine } = useMachine(posId)
  return machine ? <FailedVendsOf machine={machine} /> : null
}

function FailedVendsOf({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['transaction', 'refund'])
  const format = useFormat()
  const hasMedia = useFeatureOf('customerMedia')(machine.merchantId)
  const { data, error, refetch } = useQuery(queryOf(transactions.listTransactions, failedVendsOf(machine, most)))
  const failed = {
    to: '/devices/$posId/transactions',
    params: { posId: machine.id },
    search: { period: failurePeriod, types: saleTypes.map(String), errorSale: 'true' },
  }
  return (
    <Card
      title={t('transaction:failed.title')}
      note={data && data.total > 0 ? format.number(data.total) : t('transaction:failed.days')}
      isFlush
      actions={
        <PlaceLink place={{ to: failed.to, params: failed.params, ...(data?.total ? { search: failed.search } : {}) }}>
          {t(data?.total ? 'transaction:failed.all' : 'transaction:failed.sales')}
        </PlaceLink>
      }
    >
      {error && !data ? (
        <ErrorState error={error} retry={refetch} isSmall />
      ) : data?.items.length === 0 ? (
        <Text c="dimmed" px="md" pb="md">
          {t('transaction:failed.none')}
        </Text>
      ) : (
        <Box component="ul" mih={52} aria-busy={!data}>
          {data?.items.map((sale) => (
            <FailedVend key={sale.id} sale={sale} isBrief={!hasMedia} />
          ))}
        </Box>
      )}
      {!hasMedia && data && data.total > 0 && (
        <Text c="dimmed" fz="sm" px="md" pb="md">
          {t('refund:why.feature')}
        </Text>
      )}
    </Card>
  )
}

function FailedVend({ sale, isBrief }: { sale: Transaction; isBrief: boolean }) {
  const { t } = useTranslation('transaction')
  const names = useCodeNames()
  const charged = chargedForFailure(sale)
  return (
    <Flex
      component="li"
      rowGap="snug"
      columnGap="sm"
      wrap="wrap"
      align="center"
      px="md"
      py={9}
      className={classes.vend}
    >
      <Flex direction="column" flex="1 1 200px" miw={0}>
        <span className={classes.strong}>{sale.product ?? names.type(sale.type)}</span>
        <span className={classes.fine}>
          <When at={sale.createdAt} as="minute" timeZone={sale.timeZone} /> ·{' '}
          {[names.mediaType(sale.paidWith), sale.mediaSerial].filter(Boolean).join(' · ')}
        </span>
      </Flex>
      {charged === 0 ? (
        <Text span c="dimmed" fz="sm">
          {t('notCharged')}
        </Text>
      ) : (
        <Group gap="xs" wrap="wrap">
          <Amount minor={charged} currency={sale.currency} />
          <RefundSaleButton sale={sale} isBrief={isBrief} />
        </Group>
      )}
    </Flex>
  )
}
