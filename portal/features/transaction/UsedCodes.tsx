import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { transactions } from '#contract/transaction.ts'
import { queryOf } from '../../app/api.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import classes from './Transaction.module.css'
import { useCodeNames } from './useCodeNames.ts'
import { sharesOf } from './usedShares.ts'
import { type StatsQuery, searchOf } from './useStatsState.ts'

const parts = [
  { name: 'types', row: transactions.typesUsed, filter: 'types', nameOf: 'type' },
  { name: 'mediaTypes', row: transactions.mediaTypesUsed, filter: 'mediaTypes', nameOf: 'mediaType' },
  { name: 'mediaSources', row: transactions.mediaSourcesUsed, filter: 'mediaSources', nameOf: 'mediaSource' },
] as const

/** Which types, media and sources the transactions of a period were made of. */
export const UsedCodes = ({ query }: { query: StatsQuery }) => (
  <div className={classes.used}>
    {parts.map((part) => (
      <Used key={part.name} part={part} query={query} />
    ))}
  </div>
)

function Used({ part, query }: { part: (typeof parts)[number]; query: StatsQuery }) {
  const { t } = useTranslation('transaction')
  const format = useFormat()
  const names = useCodeNames()
  const merchant = useMerchant()
  const { data, error, refetch } = useQuery({
    ...queryOf(part.row, { params: { merchantId: merchant.id }, query }),
    placeholderData: keepPreviousData,
  })
  const shares = data && sharesOf(data)
  return (
    <Card title={t(`stats.used.${part.name}`)}>
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : !shares ? (
        <div className={classes.bone} />
      ) : shares.length === 0 ? (
        <p className={classes.none}>{t('stats.none')}</p>
      ) : (
        <ul className={classes.rows}>
          {shares.map(({ code, count, share, money }) => (
            <li key={code} className={classes.row}>
              <PlaceLink
                className={classes.name}
                place={{ to: '/transactions/data', search: { ...searchOf(query), [part.filter]: String(code) } }}
              >
                {names[part.nameOf](code)}
              </PlaceLink>
              <span>{format.number(count)}</span>
              {money && (
                <span className={classes.money}>
                  <Amount minor={money.value} currency={money.currency} />
                </span>
              )}
              <span className={classes.share}>{format.percent(share, 1)}</span>
              <span className={classes.bar} aria-hidden>
                <span style={{ width: `${Math.max(share * 100, 0.5)}%` }} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
