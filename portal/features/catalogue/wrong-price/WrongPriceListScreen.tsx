import { Text } from '@mantine/core'
import { IconArchive, IconCheck, IconSend2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  mostClosed,
  type WrongPrice,
  wrongPriceColumns,
  wrongPriceOrds,
  wrongPrices,
} from '#contract/catalogue/wrong-price.ts'
import { priceFaults, wrongPriceStatuses } from '#contract/vocabulary/catalogue/price.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Place } from '#portal/app/place.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyKnown, anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { useMachineOptions } from '#portal/ui/list/filters/useMachineOptions.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { BulkAction, Filter, View } from '#portal/ui/list/types.ts'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { tableWord } from '../price/machinePrice.ts'
import { priceFaultLooks, wrongPriceStatusLooks } from '../price/priceLooks.ts'
import { mostMended, useWrongPriceActs } from './useWrongPriceActs.tsx'
import classes from './WrongPrice.module.css'

const order = { ord: 'lost', ordType: 'DESC' } as const

/** The prices of the selection on the machine's page. */
const placeOf = ({ posId, selection }: WrongPrice): Place => ({
  to: '/devices/$posId/prices',
  params: { posId },
  search: { selection },
})

/** Positive means lost money; overpaid amounts are labelled. Below it, the sales behind the sum. */
function LossCell({ lost, currency, sales }: WrongPrice) {
  const { t } = useTranslation('wrong-price')
  const format = useFormat()
  const counted = sales > 0 && t('sales', { count: sales, number: format.number(sales) })
  return (
    <span className={classes.two}>
      <Amount minor={Math.abs(lost)} currency={currency} isDimmed={lost < 0} />
      <Text span c="dimmed" fz="fine" fw={400} lh="fine">
        {[lost < 0 && t('overcharged'), counted].filter(Boolean).join(' · ')}
      </Text>
    </span>
  )
}

const columns = recordColumns<WrongPrice>(wrongPriceColumns, wrongPriceOrds, ({ t }: Say) => ({
  // The selection and the money link to them.
  hidden: ['product', 'priceTable', 'fault', 'sales', 'closedAt', 'closedBy', 'note'],
  lines: ['selection'],
  aside: 'since',
  statuses: { priceFault: priceFaultLooks },
  looks: {
    machine: {
      cell: ({ posName, posSerial }) => (
        <span className={classes.two}>
          <strong>{posName}</strong>
          <Text span c="dimmed" fz="fine" fw={400} lh="fine">
            {posSerial}
          </Text>
        </span>
      ),
      label: ({ posName, selection }) => `${posName} ${selection}`,
    },
    selection: {
      cell: ({ selection, product, priceTable }) => (
        <span className={`${classes.two} ${classes.inline}`}>
          <span>
            <strong>{selection}</strong> {product}
          </span>
          <Text span c="dimmed" fz="fine" fw={400} lh="fine">
            {t(tableWord(priceTable))}
          </Text>
        </span>
      ),
    },
    priceTable: { cell: ({ priceTable }) => t(tableWord(priceTable)) },
    actual: {
      cell: ({ actual, currency }) => (
        <strong>{actual === null ? '–' : <Amount minor={actual} currency={currency} />}</strong>
      ),
    },
    // The reason says that a price is still wrong.
    status: {
      card: 'badge',
      cell: ({ status, fault }) =>
        status === 'wrong' ? (
          <StatusBadge of={priceFaultLooks} value={fault} />
        ) : (
          <StatusBadge of={wrongPriceStatusLooks} value={status} />
        ),
    },
    lost: { cell: (row) => <LossCell {...row} /> },
  },
}))

/** Prices that differ from the target, with the money they cost. */
export default function WrongPriceListScreen() {
  const { t } = useTranslation(['wrong-price', 'price', 'vocabulary'])
  const groups = useGroupOptions()
  const machines = useMachineOptions()
  const { send, accept, close, dialogs } = useWrongPriceActs()
  const filters = useGroupSearch(
    useMemo(
      (): Filter[] => [
        { key: 'search', kind: 'text', name: t('wrong-price:filter.search') },
        whether('isOld', t('wrong-price:filter.age'), t('wrong-price:filter.old'), t('wrong-price:filter.new')),
        anyOf('statuses', t('price:column.status'), wrongPriceStatuses, (one) =>
          t(`vocabulary:wrongPriceStatus.${one}`),
        ),
        anyOf('faults', t('price:column.fault'), priceFaults, (fault) => t(`vocabulary:priceFault.${fault}`)),
        anyOf('priceTables', t('price:column.priceTable'), priceTables, (word) => t(`vocabulary:priceTable.${word}`)),
        ...anyKnown('posIds', t('price:column.machine'), machines),
        ...anyKnown('groupIds', t('wrong-price:filter.group'), groups),
      ],
      [t, machines, groups],
    ),
  )
  const bulk: BulkAction<WrongPrice>[] = [
    {
      key: 'send',
      needs: 'price.write',
      name: t('wrong-price:send.act'),
      icon: <IconSend2 size={15} aria-hidden />,
      most: mostMended,
      run: send,
    },
    {
      key: 'accept',
      needs: 'price.write',
      name: t('wrong-price:accept.act'),
      icon: <IconCheck size={15} aria-hidden />,
      most: mostMended,
      run: accept,
    },
    {
      key: 'close',
      needs: 'price.write',
      name: t('wrong-price:close.act'),
      icon: <IconArchive size={15} aria-hidden />,
      most: mostClosed,
      run: close,
    },
  ]
  const views = useMemo(
    (): View[] => [
      { id: 'old', name: t('wrong-price:filter.old'), filters: { isOld: ['true'] } },
      { id: 'closed', name: t('vocabulary:wrongPriceStatus.closed'), filters: { statuses: ['closed'] } },
    ],
    [t],
  )
  return (
    <>
      <ListScreen
        id="wrongPrices"
        exports="wrongPrices"
        words="wrong-price"
        row={wrongPrices.listWrongPrices}
        columns={columns}
        filters={filters}
        order={order}
        views={views}
        bulk={bulk}
        placeOf={placeOf}
      />
      {dialogs}
    </>
  )
}
