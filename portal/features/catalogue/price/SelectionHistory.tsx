import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type PriceChange, prices } from '#contract/catalogue/price.ts'
import { pagedQueryOf } from '#portal/app/api.ts'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { FromTo } from './FromTo.tsx'
import { tableWord } from './machinePrice.ts'
import classes from './PriceTruth.module.css'

const shown = 20

/** The last changes of one selection's prices. */
export function SelectionHistory({
  params,
  selection,
}: {
  params: { merchantId: string; posId: string }
  selection: string
}) {
  const { t } = useTranslation(['price', 'vocabulary'])
  const { data } = useQuery(
    pagedQueryOf(prices.listPriceChanges, {
      params,
      query: { selections: [selection], size: shown, ord: 'at', ordType: 'DESC' },
    }),
  )
  if (!data) return null
  if (data.items.length === 0) return <p className={classes.nothing}>{t('price:history.none')}</p>
  return (
    <>
      <ul className={classes.changes}>
        {data.items.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ul>
      <PlaceLink
        className={classes.all}
        place={{ to: '/devices/$posId/prices/history', params: { posId: params.posId } }}
      >
        {t('price:history.all')}
      </PlaceLink>
    </>
  )
}

function Change({ change }: { change: PriceChange }) {
  const { t } = useTranslation(['price', 'vocabulary'])
  const { at, priceTable, before, after, currency, source, changedBy } = change
  return (
    <li className={classes.past}>
      <span className={classes.fromTo}>
        <span className={classes.list}>{t(tableWord(priceTable))}</span>
        <FromTo before={before} after={after} currency={currency} />
      </span>
      <span className={classes.by}>
        {[t(`vocabulary:priceSource.${source}`), changedBy].filter(Boolean).join(' · ')} · <When at={at} />
      </span>
    </li>
  )
}
