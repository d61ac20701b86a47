import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type PriceRow, priceColumns, priceOrds, prices } from '#contract/catalogue/price.ts'
import { priceSyncs } from '#contract/vocabulary/catalogue/price.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { effectivePrice, priceIn } from './machinePrice.ts'
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

const idOf = (table: number) => `list${table}`

const columnsOf = (tables: readonly number[]) => {
  const visibleColumns = new Set(tables.map(idOf))
  const priceOf = (table: number) => ({
    number: (row: PriceRow) => effectivePrice(priceIn(row, table)),
    cell: (row: PriceRow) => <PriceCell price={priceIn(row, table)} currency={row.currency} />,
  })
  return recordColumns<PriceRow>(priceColumns, priceOrds, ({ t }: Say) => ({
    aside: 'updatedAt',
    lines: ['product'],
    hidden: ['differing'],
    without: Object.values(priceTables)
      .map(idOf)
      .filter((id) => !visibleColumns.has(id)),
    statuses: { priceSync: priceSyncLooks },
    looks: {
      ...Object.fromEntries(tables.map((table) => [idOf(table), priceOf(table)])),
      selection: {
        width: 96,
        label: ({ selection, product }) => (product ? `${selection} ${product}` : selection),
        cell: ({ selection }) => (
          <Text span fw={600}>
            {selection}
          </Text>
        ),
      },
      product: { cell: ({ product }) => product ?? '–' },
      differing: {
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
    },
  }))
}

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
  const columns = useMemo(() => columnsOf(tables ?? none), [tables])
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
