import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Transaction, transactions } from '#contract/sales/transaction.ts'
import { useFeature, useFeatureOf } from '#portal/app/feature.ts'
import { useOpenPanel } from '#portal/app/panel.ts'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { DetailDrawer } from '#portal/ui/dialog/DetailDrawer.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { useMachineFilter } from '../../../ui/list/filters/useMachineFilter.ts'
import { ClientTotals } from './ClientTotals.tsx'
import { columnsOf } from './transactionColumns.tsx'
import { transactionFilters } from './transactionFilters.ts'
import { useCodeNames } from './useCodeNames.ts'
import { useHolderFilters } from './useHolderFilters.ts'
import { useSliceFilters } from './useSliceFilters.ts'
import { type StatsQuery, sales } from './useStatsState.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const toneOf = ({ errorSale }: Transaction) => (errorSale ? 'crit' : undefined)
const none: never[] = []

interface Props {
  /** The machine or client of the page. */
  posId?: string
  clientId?: string
  /** The medium or customer of the page. */
  mediaId?: string
  customerId?: string
}

/** Transactions of all machines or of one, initially today's; or a client's sales of a week, with their sums. */
export function TransactionList({ posId, clientId, mediaId, customerId }: Props) {
  const { t } = useTranslation(['transaction', 'vocabulary'])
  const names = useCodeNames()
  const groups = useGroupOptions()
  const machine = useMachineFilter(t('transaction:column.machine'), clientId)
  const client = useClientFilter('clientIds')
  const holder = useHolderFilters(mediaId !== undefined || customerId !== undefined)
  const slice = useSliceFilters(names)
  const isOfHolder = mediaId !== undefined || customerId !== undefined
  const openPanel = useOpenPanel()
  const open = useCallback((id: string) => openPanel({ kind: 'transaction', id }), [openPanel])
  const hasDetails = useFeature('transactionDetails')
  const hasDetailsOf = useFeatureOf('transactionDetails')
  // Under "all merchants" a row may belong to a merchant without transaction details.
  const [merchantWithout, setMerchantWithout] = useState<string>()
  const hasVending = useFeature('vending')
  const columns = useMemo(
    () => columnsOf({ isOfMachine: posId !== undefined, hasVending, names, open }),
    [posId, hasVending, names, open],
  )
  const filters = useGroupSearch(
    useMemo(
      () =>
        transactionFilters(t, {
          names,
          groups: posId ? none : groups,
          machine: posId ? undefined : machine,
          client: posId || clientId ? undefined : client,
          holder,
          slice,
          period: isOfHolder || clientId ? 'last7Days' : 'today',
          isOfMachine: posId !== undefined,
        })
          .filter(({ key }) => !clientId || key !== 'terms')
          .map((filter): Filter => (clientId && filter.key === 'types' ? { ...filter, initially: sales } : filter)),
      [t, names, groups, machine, client, holder, slice, isOfHolder, posId, clientId],
    ),
  )
  return (
    <>
      <ListScreen
        id={
          posId
            ? 'machineTransactions'
            : clientId
              ? 'clientTransactions'
              : isOfHolder
                ? 'mediaTransactions'
                : 'transactions'
        }
        words="transaction"
        isEmbedded={posId !== undefined || clientId !== undefined || isOfHolder}
        hasCursor
        exports="transactions"
        row={transactions.listTransactions}
        fixed={
          posId
            ? { posIds: [posId] }
            : clientId
              ? { clientIds: [clientId], terms: 'ofDay' }
              : mediaId
                ? { mediaIds: [mediaId] }
                : customerId
                  ? { customerIds: [customerId] }
                  : undefined
        }
        columns={columns}
        filters={filters}
        order={order}
        toneOf={toneOf}
        panelOf={({ id, merchantId }) =>
          hasDetails && hasDetailsOf(merchantId) ? { kind: 'transaction', id } : undefined
        }
        onOpen={
          hasDetails
            ? ({ id, merchantId, merchantName }) =>
                hasDetailsOf(merchantId) ? open(id) : setMerchantWithout(merchantName)
            : undefined
        }
      >
        {(filter) => clientId && <ClientTotals query={filter as StatsQuery} />}
      </ListScreen>
      <DetailDrawer
        isOpen={merchantWithout !== undefined}
        close={() => setMerchantWithout(undefined)}
        title={t('transaction:noDetails.title')}
      >
        <EmptyState
          title={t('transaction:noDetails.title')}
          text={t('transaction:noDetails.text', { merchant: merchantWithout })}
        />
      </DetailDrawer>
    </>
  )
}
