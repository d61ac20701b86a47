import { SimpleGrid } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { transactions } from '#contract/sales/transaction.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { SharesCard } from './SharesCard.tsx'
import classes from './Transaction.module.css'
import { useCodeNames } from './useCodeNames.ts'
import { sharesOf } from './usedShares.ts'
import { type StatsQuery, searchOf } from './useStatsState.ts'

const parts = [
  { name: 'types', row: transactions.typesUsed, filter: 'types', nameOf: 'type' },
  { name: 'mediaTypes', row: transactions.mediaTypesUsed, filter: 'mediaTypes', nameOf: 'mediaType' },
  { name: 'mediaSources', row: transactions.mediaSourcesUsed, filter: 'mediaSources', nameOf: 'mediaSource' },
] as const

/** Types, media and sources of a period's transactions, and its sales by price list. */
export function UsedCodes({ query }: { query: StatsQuery }) {
  const hasVending = useFeature('vending')
  return (
    <SimpleGrid minColWidth={300} autoFlow="auto-fit" spacing="part" className={classes.used}>
      {parts.map((part) => (
        <UsedCodesOfPart key={part.name} part={part} query={query} />
      ))}
      {hasVending && (
        <>
          <PriceTables query={query} />
          <div className={classes.wide}>
            <Products query={query} />
          </div>
        </>
      )}
    </SimpleGrid>
  )
}

function UsedCodesOfPart({ part, query }: { part: (typeof parts)[number]; query: StatsQuery }) {
  const { t } = useTranslation('transaction')
  const names = useCodeNames()
  const merchant = useMerchant()
  const { data, error, refetch } = useQuery({
    ...queryOf(part.row, { params: { merchantId: merchant.id }, query }),
    placeholderData: keepPreviousData,
  })
  return (
    <SharesCard
      title={t(`stats.used.${part.name}`)}
      shares={data && sharesOf(data, ({ code }) => code)}
      error={error}
      retry={refetch}
      nameOf={names[part.nameOf]}
      placeOf={(code) => ({ to: '/transactions/data', search: { ...searchOf(query), [part.filter]: String(code) } })}
    />
  )
}

function PriceTables({ query }: { query: StatsQuery }) {
  const { t } = useTranslation('transaction')
  const names = useCodeNames()
  const merchant = useMerchant()
  const { data, error, refetch } = useQuery({
    ...queryOf(transactions.priceTablesUsed, { params: { merchantId: merchant.id }, query }),
    placeholderData: keepPreviousData,
  })
  return (
    <SharesCard
      title={t('stats.used.priceTables')}
      shares={data && sharesOf(data, ({ code }) => code)}
      error={error}
      retry={refetch}
      nameOf={(code) => (code === null ? t('stats.used.noPriceTable') : names.priceTable(code))}
    />
  )
}

function Products({ query }: { query: StatsQuery }) {
  const { t } = useTranslation('transaction')
  const merchant = useMerchant()
  const { data, error, refetch } = useQuery({
    ...queryOf(transactions.productsUsed, { params: { merchantId: merchant.id }, query }),
    placeholderData: keepPreviousData,
  })
  return (
    <SharesCard
      title={t('stats.used.products')}
      shares={data && sharesOf(data, ({ product }) => product)}
      error={error}
      retry={refetch}
      nameOf={(product) => product ?? t('stats.used.noProduct')}
      placeOf={(product) =>
        product !== null && product.length >= enoughLetters
          ? { to: '/transactions/data', search: { ...searchOf(query), search: product } }
          : undefined
      }
    />
  )
}
