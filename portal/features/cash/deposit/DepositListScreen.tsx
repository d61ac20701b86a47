import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DepositRow, depositColumns, depositOrds, deposits } from '#contract/cash/deposit.ts'
import { depositStatuses } from '#contract/vocabulary/cash.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { depositLooks } from './depositLooks.ts'

const order = { ord: 'day', ordType: 'DESC' } as const
const placeOf = ({ id }: DepositRow) => ({ to: '/devices/deposits/$depositId', params: { depositId: id } })
const toneOf = ({ status }: DepositRow) => (status === 'differs' ? 'crit' : undefined)

const columns = recordColumns<DepositRow>(depositColumns, depositOrds, ({ format }: Say) => {
  const signed = (value: number, currency: Currency) => `${value > 0 ? '+' : ''}${format.money(value, currency)}`
  const alarming = (value: number, currency: Currency) => (
    <Badge tone="crit" mark="triangle">
      {signed(value, currency)}
    </Badge>
  )
  return {
    lines: ['reference', 'status'],
    aside: 'amount',
    hidden: ['creditedOn', 'note', 'createdAt'],
    statuses: { depositStatus: depositLooks },
    looks: {
      // Less on the slip is money that was kept, for example as change.
      difference: {
        cell: ({ difference, currency }) =>
          difference > 0 ? alarming(difference, currency) : signed(difference, currency),
      },
      bankDifference: {
        cell: ({ bankDifference, currency }) => {
          if (bankDifference === null) return '–'
          return bankDifference === 0 ? signed(0, currency) : alarming(bankDifference, currency)
        },
      },
    },
  }
})

/** Money that was taken to the bank. */
export default function DepositListScreen() {
  const { t } = useTranslation('deposit')
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      { key: 'period', kind: 'period', name: t('field.day') },
      anyOf('statuses', t('column.status'), depositStatuses, (status) => t(`status.${status}`)),
    ],
    [t],
  )
  const views = useMemo(
    () =>
      (['open', 'differs'] as const).map((status) => ({
        id: status,
        name: t(`status.${status}`),
        filters: { statuses: [status] },
      })),
    [t],
  )
  return (
    <ListScreen
      id="deposits"
      words="deposit"
      row={deposits.listDeposits}
      columns={columns}
      filters={filters}
      order={order}
      views={views}
      placeOf={placeOf}
      toneOf={toneOf}
      exports="deposits"
      create={useMemo(
        () => ({ name: t('create'), needs: 'deposit.write' as const, does: { to: '/devices/deposits/create' } }),
        [t],
      )}
    />
  )
}
