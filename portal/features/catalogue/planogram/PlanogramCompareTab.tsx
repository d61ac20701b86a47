import { Box, Flex, Stack, Text } from '@mantine/core'
import {
  IconArrowsDiff,
  IconCheck,
  IconCoin,
  IconMinus,
  IconPackage,
  IconPlus,
  IconRulerMeasure,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type ComparedLine, type Planogram, type PricesByTable, planograms } from '#contract/catalogue/planogram.ts'
import { machines } from '#contract/machines/machine.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { idOf } from '#portal/app/search.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { type Products, useProductChoices } from './lines/useProductChoices.ts'
import { MachineChoice } from './MachineChoice.tsx'
import classes from './Planogram.module.css'

/** Compares a planogram with the report of one of its machines. */
export default function PlanogramCompareTab() {
  const { data } = useRecord(planograms.getPlanogram, 'planogramId')
  return data ? <Compare planogram={data} /> : null
}

function Compare({ planogram: { id: planogramId, merchantId } }: { planogram: Planogram }) {
  const { t } = useTranslation('planogram')
  const go = useGo()
  const machineId = idOf(useAddressQuery(), 'machine')
  const first = useQuery(
    queryOf(machines.listMachines, {
      params: { merchantId },
      query: { planogramId, hidden: 'all', ord: 'name', size: 1 },
      isWhole: true,
    }),
  )
  const [machine] = first.data?.items ?? []
  useEffect(() => {
    if (!machineId && machine) void go({ here: { machine: machine.id } }, { replace: true, resetScroll: false })
  }, [machineId, machine, go])
  if (first.error && !first.data) return <ErrorState error={first.error} retry={first.refetch} />
  if (first.data && !machine && !machineId)
    return <EmptyState title={t('compare.none.title')} text={t('compare.none.text')} />
  if (!machineId) return <div aria-busy="true" style={{ minHeight: 200 }} />
  return (
    <Stack gap="md">
      <Box maw={420}>
        <MachineChoice
          label={t('compare.machine')}
          merchantId={merchantId}
          planogramId={planogramId}
          value={machineId}
          choose={(posId) => posId && void go({ here: { machine: posId } }, { replace: true, resetScroll: false })}
        />
      </Box>
      <Comparison key={machineId} merchantId={merchantId} planogramId={planogramId} posId={machineId} />
    </Stack>
  )
}

function Comparison(params: { merchantId: string; planogramId: string; posId: string }) {
  const { t } = useTranslation('planogram')
  const format = useFormat()
  const answer = useQuery(queryOf(planograms.comparePlanogram, { params }))
  const products = useProductChoices(params.merchantId)
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!answer.data) return <div aria-busy="true" style={{ minHeight: 200 }} />
  const { lines, currency } = answer.data
  if (lines.every(({ reported }) => reported === null)) return <EmptyState title={t('compare.silent')} />
  const count = lines.filter(({ differences }) => differences.length > 0).length
  return (
    <Card title={count === 0 ? t('compare.same') : t('compare.count', { count, number: format.number(count) })} isFlush>
      <Box className="scrolls" tabIndex={0} role="region" aria-label={t('compare.state')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th>{t('line.selection')}</th>
              <th>{t('compare.state')}</th>
              <th>{t('compare.planned')}</th>
              <th>{t('compare.reported')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <ComparedRow key={line.selection} line={line} products={products} currency={currency} />
            ))}
          </tbody>
        </table>
      </Box>
    </Card>
  )
}

type Difference = ComparedLine['differences'][number]
const icons = {
  onlyPlanned: IconMinus,
  onlyReported: IconPlus,
  product: IconPackage,
  capacity: IconRulerMeasure,
  price: IconCoin,
} satisfies Record<Difference, typeof IconMinus>

function Marks({ differences }: { differences: readonly Difference[] }) {
  const { t } = useTranslation('planogram')
  if (differences.length === 0)
    return (
      <Text span bg="var(--ok-soft)" c="ok" className={classes.same}>
        <IconCheck size={14} aria-hidden /> {t('difference.none')}
      </Text>
    )
  return differences.map((difference) => {
    const Icon = icons[difference] ?? IconArrowsDiff
    return (
      <Text key={difference} span bg="var(--warn-soft)" c="warn" className={classes.mark}>
        <Icon size={14} aria-hidden /> {t(`difference.${difference}`)}
      </Text>
    )
  })
}

interface RowProps {
  line: ComparedLine
  products: Products | undefined
  currency: Currency
}

function ComparedRow({ line: { selection, planned, reported, differences }, products, currency }: RowProps) {
  const has = (difference: Difference) => differences.includes(difference) || undefined
  const isOtherPrice = (table: keyof PricesByTable) => {
    const wish = planned?.prices[table]
    const price = reported?.prices[table]
    return (wish !== undefined && price !== undefined && wish !== price) || undefined
  }
  const product = planned?.productId ? (products?.byId.get(planned.productId)?.name ?? '…') : null
  return (
    <tr data-differs={differences.length > 0 || undefined}>
      <th scope="row">{selection}</th>
      <td>
        <Flex rowGap="tight" columnGap="snug" wrap="wrap">
          <Marks differences={differences} />
        </Flex>
      </td>
      {[planned && { ...planned, product }, reported && { ...reported, product: reported.product }].map((side, at) => (
        <td key={at === 0 ? 'planned' : 'reported'}>
          {side ? (
            <Side
              product={side.product}
              capacity={side.capacity}
              prices={side.prices}
              currency={currency}
              isOther={{ product: has('product'), capacity: has('capacity') }}
              isOtherPrice={isOtherPrice}
            />
          ) : (
            <Text span c="faint">
              –
            </Text>
          )}
        </td>
      ))}
    </tr>
  )
}

interface SideProps {
  product: string | null
  capacity: number | null
  prices: PricesByTable
  currency: Currency
  isOther: Record<'product' | 'capacity', true | undefined>
  isOtherPrice: (table: keyof PricesByTable) => true | undefined
}

function Side({ product, capacity, prices, currency, isOther, isOtherPrice }: SideProps) {
  const { t } = useTranslation(['planogram', 'vocabulary'])
  const format = useFormat()
  const tables = Object.entries(prices) as [keyof PricesByTable, number][]
  return (
    <Stack gap="hair" miw={{ base: 0, xs: 140 }} className={classes.side}>
      <span data-other={isOther.product}>{product ?? t('planogram:front.noProduct')}</span>
      <Flex component="span" rowGap={0} columnGap="sm" wrap="wrap" c="dimmed" fz="sm" className={classes.facts}>
        {capacity !== null && (
          <span data-other={isOther.capacity}>
            {t('planogram:line.capacity')} {format.number(capacity)}
          </span>
        )}
        {tables.map(([table, price]) => (
          <span key={table} data-other={isOtherPrice(table)}>
            {t(`vocabulary:priceTable.${nameOf(priceTables, table)}`)} {format.money(price, currency)}
          </span>
        ))}
      </Flex>
    </Stack>
  )
}
