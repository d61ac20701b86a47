import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Transaction, transactions } from '#contract/transaction.ts'
import { useFeature, useFeatureOf } from '../../app/feature.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { DetailDrawer, useOpenDetail } from '../../ui/DetailDrawer.tsx'
import { EmptyState } from '../../ui/ErrorState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { useGroupOptions, useGroupSearch } from '../group/useGroupOptions.ts'
import { TransactionDrawer } from './TransactionDrawer.tsx'
import { transactionFilters } from './transactionFilters.ts'
import { useCodeNames } from './useCodeNames.ts'
import { useMachineOptions } from './useMachineOptions.ts'
import { useTransactionColumns } from './useTransactionColumns.tsx'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const keyOf = ({ id }: Transaction) => id
const toneOf = ({ errorSale }: Transaction) => (errorSale ? 'crit' : undefined)
const none: never[] = []

/** Transactions of all machines, or of one; today's at first. */
export function TransactionList({ posId }: { posId?: string }) {
  const { t } = useTranslation(['transaction', 'vocabulary'])
  const merchant = useMerchant()
  const names = useCodeNames()
  const groups = useGroupOptions()
  const machines = useMachineOptions()
  const { key, open, close } = useOpenDetail('transaction')
  const hasDetails = useFeature('transactionDetails')
  const hasDetailsOf = useFeatureOf('transactionDetails')
  // Under "all distributors" a row may be of a merchant that has no details.
  const [merchantWithout, setMerchantWithout] = useState<string>()
  const columns = useTransactionColumns({ isOfMachine: posId !== undefined, open })
  const filters = useGroupSearch(
    useMemo(
      () =>
        transactionFilters(t, {
          names,
          groups: posId ? none : groups,
          machines: posId ? none : machines,
          period: 'today',
          isOfMachine: posId !== undefined,
        }),
      [t, names, groups, machines, posId],
    ),
  )
  return (
    <>
      <ListScreen
        id={posId ? 'machineTransactions' : 'transactions'}
        title={t('transaction:title')}
        isEmbedded={posId !== undefined}
        hasCursor
        exports="transactions"
        row={transactions.listTransactions}
        params={{ merchantId: merchant.id }}
        fixed={posId ? { posIds: [posId] } : undefined}
        columns={columns}
        filters={filters}
        order={order}
        keyOf={keyOf}
        toneOf={toneOf}
        onOpen={
          hasDetails
            ? ({ id, merchantId, merchantName }) =>
                hasDetailsOf(merchantId) ? open(id) : setMerchantWithout(merchantName)
            : undefined
        }
        empty={{ title: t('transaction:empty.title'), text: t('transaction:empty.text') }}
      />
      {hasDetails && <TransactionDrawer transactionId={key} open={open} close={close} />}
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
