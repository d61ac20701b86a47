import { Flex, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type PriceChange, prices } from '#contract/catalogue/price.ts'
import { pagedQueryOf } from '#portal/app/api.ts'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { FromTo } from '../../../ui/price/FromTo.tsx'
import { tableWord } from './machinePrice.ts'
import classes from './PriceTruth.module.css'

const mostChanges = 20

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
      query: { selections: [selection], size: mostChanges, ord: 'at', ordType: 'DESC' },
    }),
  )
  if (!data) return null
  if (data.items.length === 0) return <Text c="dimmed">{t('price:history.none')}</Text>
  return (
    <>
      <Stack component="ul" gap={9}>
        {data.items.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </Stack>
      <PlaceLink
        className={`${classes.all} quiet`}
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
    <Stack component="li" gap={1}>
      <Flex component="span" rowGap="hair" columnGap="xs" wrap="wrap" justify="space-between">
        <Text span fw={550}>
          {t(tableWord(priceTable))}
        </Text>
        <FromTo before={before} after={after} currency={currency} />
      </Flex>
      <Text span c="dimmed" fz="fine">
        {[t(`vocabulary:priceSource.${source}`), changedBy].filter(Boolean).join(' · ')} · <When at={at} />
      </Text>
    </Stack>
  )
}
