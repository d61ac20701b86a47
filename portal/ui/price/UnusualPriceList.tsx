import { Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PriceWarning } from '#contract/vocabulary/catalogue/price.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { FromTo } from './FromTo.tsx'
import classes from './UnusualPriceList.module.css'

export interface UnusualPrice {
  key: string
  /** The machine, named before its first price. */
  machine?: string | undefined
  selection: string
  /** The name of the price table. */
  table: string
  before: number | null
  price: number
  warning: PriceWarning
}

/** Prices that the list names. */
const mostNamed = 8

/** Prices that need a confirmation of their own, each with the reason. `count`: all of them. */
export function UnusualPriceList(props: { prices: readonly UnusualPrice[]; count: number; currency: Currency }) {
  const { prices, count, currency } = props
  const { t } = useTranslation(['price', 'vocabulary'])
  const format = useFormat()
  return (
    <Stack component="ul" gap="snug" className={classes.unusual}>
      {prices.slice(0, mostNamed).map(({ key, machine, selection, table, before, price, warning }, index) => (
        <Flex component="li" rowGap="tight" columnGap="xs" wrap="wrap" key={key}>
          {machine && machine !== prices[index - 1]?.machine && <span className={classes.machine}>{machine}</span>}
          <strong>{selection}</strong> {table} <FromTo before={before} after={price} currency={currency} />{' '}
          <Text span c="warn">
            {t(`vocabulary:priceWarning.${warning}`)}
          </Text>
        </Flex>
      ))}
      {count > mostNamed && (
        <Flex component="li" rowGap="tight" columnGap="xs" wrap="wrap">
          {t('price:unusual.more', { number: format.number(count - mostNamed) })}
        </Flex>
      )}
    </Stack>
  )
}
