import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type PriceRow, prices } from '#contract/catalogue/price.ts'
import { priceSyncs } from '#contract/vocabulary/catalogue/price.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Part } from '#portal/ui/page/lazyPart.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { effectivePrice, priceIn, tableWord } from './machinePrice.ts'
import { PriceBar } from './PriceBar.tsx'
import { PriceCell } from './PriceCell.tsx'
import { PriceDrawer, useOpenSelection } from './PriceDrawer.tsx'
import { priceSyncLooks } from './priceLooks.ts'

const PriceEditor = lazyPart(() => import('./PriceEditor.tsx'), ['editing'])

const order = { ord: 'selection', ordType: 'ASC' } as const
const keyOf = ({ selection }: PriceRow) => selection
const toneOf = ({ sync }: PriceRow) =>
  sync === 'chargedOtherwise' ? 'crit' : sync === 'editedOnDevice' ? 'warn' : undefined
const none: readonly number[] = []

/** The prices of a machine: a row per selection, a column per price list, target price beside the machine's own. */
export default function PricesTab() {
  const { t } = useTranslation(['price', 'vocabulary'])
  const merchant = useMerchant()
  const { me } = useSession()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  const [isEditing, setEditing] = useState(false)
  const [unsaved, setUnsaved] = useState(0)
  const { open } = useOpenSelection()
  // The columns depend on the price lists.
  const { data } = useQuery(queryOf(prices.listPrices, { params, query: { size: 1 } }))
  const tables = data?.priceTables
  const columns = usePriceColumns(tables ?? none)
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('price:filter.search') },
      anyOf('syncs', t('price:column.sync'), priceSyncs, (sync) => t(`vocabulary:priceSync.${sync}`)),
      whether('differing', t('price:column.tables'), t('price:differing.yes'), t('price:differing.no')),
    ],
    [t],
  )
  const close = () => {
    setUnsaved(0)
    setEditing(false)
  }
  if (!data || !tables) return null
  const mayWrite = Boolean(me && roleMay(me.role, 'price.write'))
  return (
    <>
      <PriceBar
        params={params}
        summary={data.summary}
        mayWrite={mayWrite}
        isEditing={isEditing}
        unsaved={unsaved}
        edit={() => setEditing(true)}
      />
      {isEditing ? (
        <Part fallback={<div style={{ minHeight: 400 }} aria-busy />}>
          <PriceEditor params={params} tables={tables} close={close} onChanges={setUnsaved} />
        </Part>
      ) : (
        <ListScreen
          id="prices"
          isEmbedded
          title={t('price:title')}
          row={prices.listPrices}
          params={{ posId }}
          columns={columns}
          filters={filters}
          order={order}
          keyOf={keyOf}
          toneOf={toneOf}
          onOpen={({ selection }) => open(selection)}
          exports="prices"
          empty={{ title: t('price:empty.title'), text: t('price:empty.text') }}
        />
      )}
      <PriceDrawer params={params} mayWrite={mayWrite} />
    </>
  )
}

function usePriceColumns(tables: readonly number[]): Column<PriceRow>[] {
  const { t } = useTranslation(['price', 'vocabulary'])
  return useMemo(
    (): Column<PriceRow>[] => [
      {
        id: 'selection',
        name: t('price:column.selection'),
        sort: true,
        isFixed: true,
        width: 96,
        card: 'title',
        label: ({ selection, product }) => (product ? `${selection} ${product}` : selection),
        cell: ({ selection }) => (
          <Text span fw={600}>
            {selection}
          </Text>
        ),
      },
      {
        id: 'product',
        name: t('price:column.product'),
        sort: true,
        card: 'line',
        cell: ({ product }) => product ?? '–',
      },
      ...tables.map(
        (table): Column<PriceRow> => ({
          id: `list${table}`,
          name: t(tableWord(table)),
          align: 'end',
          number: (row) => effectivePrice(priceIn(row, table)),
          unit: 'money',
          currencyOf: ({ currency }) => currency,
          cell: (row) => <PriceCell price={priceIn(row, table)} currency={row.currency} />,
        }),
      ),
      {
        id: 'sync',
        name: t('price:column.sync'),
        card: 'badge',
        cell: ({ sync }) => <StatusBadge of={priceSyncLooks} value={sync} />,
      },
      {
        id: 'differing',
        name: t('price:column.tables'),
        isHidden: true,
        card: 'none',
        cell: ({ isDiffering }) =>
          isDiffering ? (
            <Badge tone="info" mark="half">
              {t('price:differing.yes')}
            </Badge>
          ) : (
            <Badge tone="mute" mark="check">
              {t('price:differing.no')}
            </Badge>
          ),
      },
      {
        id: 'updatedAt',
        name: t('price:column.updatedAt'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ updatedAt }) => <When at={updatedAt} />,
      },
    ],
    [t, tables],
  )
}
