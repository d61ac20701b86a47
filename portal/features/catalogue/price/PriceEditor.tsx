import { Button, Flex, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Price, type PriceRow, prices } from '#contract/catalogue/price.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { GridColumn } from '#portal/ui/grid/types.ts'
import ListEdit from '#portal/ui/list/ListEdit.tsx'
import { machinePrice, priceIn, tableWord } from './machinePrice.ts'
import { columnOf, savePrices, wantedOf } from './priceEdits.ts'
import { usePriceUpdate } from './usePriceUpdate.tsx'

interface Props {
  params: { merchantId: string; posId: string }
  /** The price lists that the machine has. */
  tables: readonly number[]
  close: () => void
  onChanges: (count: number) => void
}

const all = Object.values(priceTables)
const schema = Price.nullable()
const keyOf = ({ selection }: PriceRow) => selection
const nameOf = ({ selection, product }: PriceRow) => (product ? `${selection} ${product}` : selection)
const query = { ord: 'selection', ordType: 'ASC' }

/** In the order of the price lists; the first list if a machine has none. */
const tablesShown = (some: readonly number[]) => (some.length === 0 ? [1] : all.filter((table) => some.includes(table)))

/** The target prices of a machine, edited as in a spreadsheet; more price lists can be added. */
export default function PriceEditor({ params, tables, close, onChanges }: Props) {
  const { t } = useTranslation(['price', 'vocabulary'])
  const { money } = useFormat()
  const { update, dialog } = usePriceUpdate()
  const [added, setAdded] = useState<readonly number[]>([])
  const visibleTables = useMemo(() => tablesShown([...tables, ...added]), [tables, added])
  const others = all.filter((table) => !visibleTables.includes(table))
  const columns = useMemo(
    (): GridColumn<PriceRow>[] => [
      { id: 'selection', name: t('price:column.selection'), width: 90, value: ({ selection }) => selection },
      { id: 'product', name: t('price:column.product'), value: ({ product }) => product },
      ...visibleTables.map(
        (table): GridColumn<PriceRow> => ({
          id: columnOf(table),
          name: t(tableWord(table)),
          width: 130,
          value: (row) => wantedOf(row, table),
          ghost: (row) => {
            const price = priceIn(row, table)
            const actual = price && machinePrice(price)
            return actual ? money(actual.price, row.currency) : ''
          },
          edit: { kind: 'money', schema, currency: ({ currency }) => currency },
        }),
      ),
    ],
    [t, money, visibleTables],
  )
  return (
    <>
      <Flex rowGap="near" columnGap="sm" wrap="wrap" align="center" justify="space-between" mb="xs" c="dimmed" fz="sm">
        <span>{t('price:edit.note')}</span>
        {others.length > 0 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />}>
                {t('price:edit.addTable')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {others.map((table) => (
                <Menu.Item key={table} onClick={() => setAdded([...added, table])}>
                  {t(tableWord(table))}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Flex>
      <ListEdit<PriceRow>
        name={t('price:title')}
        row={prices.listPrices}
        params={params}
        query={query}
        keyOf={keyOf}
        nameOf={nameOf}
        columns={columns}
        save={(edits) => savePrices(update, params, edits)}
        close={close}
        onChanges={onChanges}
      />
      {dialog}
    </>
  )
}
