import { Button, Flex, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type StockRow, stock, stockColumns, stockOrds } from '#contract/stock/stock.ts'
import { stockStatuses, stockTypes } from '#contract/vocabulary/stock.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { LevelLine } from './LevelLine.tsx'
import classes from './Stock.module.css'
import { StockFindings } from './StockFindings.tsx'
import { stockLooks } from './stockLooks.ts'

const order = { ord: 'status', ordType: 'ASC' } as const
const keyOf = ({ selection }: StockRow) => selection
const nameOfType = { [stockTypes.hotTotal]: 'hotTotal', [stockTypes.coldByPriceLine]: 'coldByPriceLine' } as const
const toneOf = ({ status }: StockRow) => (status === stockStatuses.out ? 'crit' : undefined)

const StockEditor = lazyPart(() => import('./StockEditor.tsx'), ['editing'])

/** What only managed stock has. */
const ofBooks = ['usualPerDay', 'daysUntilEmpty']

const columnsOf = (isManaged: boolean) =>
  recordColumns<StockRow>(stockColumns, stockOrds, ({ t }: Say) => ({
    aside: 'updatedAt',
    lines: ['product', 'stockType'],
    without: isManaged ? [] : ofBooks,
    statuses: { stockStatus: stockLooks },
    looks: {
      selection: {
        label: ({ selection, product }) => (product ? `${selection} ${product}` : selection),
        cell: ({ selection }) => (
          <Text span fw={600}>
            {selection}
          </Text>
        ),
      },
      product: { cell: ({ product }) => product ?? '–' },
      stockType: { cell: ({ stockType }) => stockType && t(`stock:type.${nameOfType[stockType]}`) },
      level: { cell: (row) => <Level row={row} /> },
      usualPerDay: { isHidden: true },
      daysUntilEmpty: { cell: (row) => <Lasts row={row} /> },
      refilledAt: { cell: ({ refilledAt }) => (refilledAt === null ? '–' : <When at={refilledAt} />) },
    },
  }))

/** What is left in a machine: by its books if its stock is managed, else by its last report. Empty selections first. */
export default function StockTab() {
  const { t } = useTranslation('stock')
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { id: merchantId } = useMerchant()
  const { me } = useSession()
  const params = { merchantId, posId }
  const [isEditing, setEditing] = useState(false)
  const { data } = useQuery(queryOf(stock.listStock, { params, query: { size: 1 } }))
  const isManaged = data?.isManaged ?? false
  const mayBook = isManaged && data !== undefined && data.total > 0 && Boolean(me && roleMay(me.role, 'stock.write'))
  const columns = useMemo(() => columnsOf(isManaged), [isManaged])
  const counter = data?.countedBy ?? 'portal'
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      anyOf('statuses', t('column.status'), stockStatuses, (name) => t(`status.${name}`)),
      anyOf('stockTypes', t('column.stockType'), stockTypes, (name) => t(`type.${name}`)),
    ],
    [t],
  )
  if (isEditing)
    return (
      <Part fallback={<div style={{ minHeight: 400 }} aria-busy />}>
        <StockEditor params={params} close={() => setEditing(false)} />
      </Part>
    )
  return (
    <ListScreen
      id="stock"
      isEmbedded
      title={t('title')}
      row={stock.listStock}
      params={{ posId }}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      toneOf={toneOf}
      exports="stock"
      empty={{ title: t('empty.title'), text: t(isManaged ? 'empty.managed' : 'empty.text') }}
    >
      {isManaged && <StockFindings params={params} mayBook={mayBook} />}
      {isManaged && (
        <Flex
          rowGap="near"
          columnGap="md"
          wrap="wrap"
          align="center"
          justify="space-between"
          mb="sm"
          className={classes.acts}
        >
          <Text maw="90ch" c="dimmed" fz="sm" className={classes.note}>
            {t(`counts.${counter}`)} {t('definition')}
          </Text>
          {mayBook && (
            <Button
              variant="default"
              leftSection={<IconPencil size={15} aria-hidden />}
              onClick={() => setEditing(true)}
            >
              {t('edit.do')}
            </Button>
          )}
        </Flex>
      )}
    </ListScreen>
  )
}

/** What differs from the level: the machine's own number, sales beyond what was booked, and refills that wait. */
function LevelNotes({ row: { level, balance, reported, reportedAt, waiting } }: { row: StockRow }) {
  const { t } = useTranslation('stock')
  const format = useFormat()
  if (balance === null) return null
  const missing = -balance
  return (
    <>
      {missing > 0 && (
        <Text span c="faint" fz="xs">
          {t('oversold', { count: missing, number: format.number(missing) })}
        </Text>
      )}
      {reported !== null && reported !== level && (
        <Text span c="faint" fz="xs">
          {t('reported', { level: format.number(reported) })}
          {reportedAt && (
            <>
              {' · '}
              <When at={reportedAt} />
            </>
          )}
        </Text>
      )}
      {waiting > 0 && (
        <Text span c="faint" fz="xs">
          {t('waiting.beside', { count: waiting, number: format.number(waiting) })}
        </Text>
      )}
    </>
  )
}

/** Days until a selection is empty, and what it loses once it is. */
function Lasts({ row: { daysUntilEmpty, lostPerDay, currency } }: { row: StockRow }) {
  const { t } = useTranslation('stock')
  const format = useFormat()
  if (daysUntilEmpty === null) return '–'
  const days = Math.floor(daysUntilEmpty)
  return (
    <Stack component="span" gap={0} display="inline-flex">
      <span>
        {daysUntilEmpty <= 0
          ? t('days.now')
          : t('days.in', { count: days, number: days < 1 ? '< 1' : format.number(days) })}
      </span>
      {lostPerDay > 0 && (
        <Text span c="faint" fz="xs">
          {t('lost', { amount: format.money(lostPerDay, currency) })}
        </Text>
      )}
    </Stack>
  )
}

/** A level as numbers, with its bar where the capacity is known. */
function Level({ row }: { row: StockRow }) {
  const { selection, level, capacity, warningLevel } = row
  const { t } = useTranslation('stock')
  const format = useFormat()
  if (capacity === null)
    return (
      <LevelLine>
        <span>{format.number(level)}</span>
        <LevelNotes row={row} />
      </LevelLine>
    )
  return (
    <LevelLine>
      <span>{t('of', { level: format.number(level), capacity: format.number(capacity) })}</span>
      <LevelBar
        percent={(level / capacity) * 100}
        // Coloured like the badge beside it: low at the warning level itself, critical when empty.
        warnAt={(((warningLevel ?? 0) + 0.5) / capacity) * 100}
        critAt={50 / capacity}
        label={t('levelOf', { selection })}
      />
      <LevelNotes row={row} />
    </LevelLine>
  )
}
