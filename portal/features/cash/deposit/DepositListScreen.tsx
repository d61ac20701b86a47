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
  const signed = (value: number | null, currency: Currency, tone: 'warn' | 'crit') =>
    value === null || value === 0 ? (
      value === null ? (
        '–'
      ) : (
        format.money(0, currency)
      )
    ) : (
      <Badge tone={tone} mark="triangle">
        {value > 0 && '+'}
        {format.money(value, currency)}
      </Badge>
    )
  return {
    lines: ['reference', 'status'],
    aside: 'amount',
    hidden: ['createdAt'],
    statuses: { depositStatus: depositLooks },
    looks: {
      difference: { cell: ({ difference, currency }) => signed(difference, currency, 'warn') },
      bankDifference: { cell: ({ bankDifference, currency }) => signed(bankDifference, currency, 'crit') },
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
