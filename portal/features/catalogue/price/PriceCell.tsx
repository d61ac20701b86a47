import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TablePrice } from '#contract/catalogue/price.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { StatusMark } from '#portal/ui/value/StatusBadge.tsx'
import { machinePrice } from './machinePrice.ts'
import { priceFaultLooks, priceSyncLooks } from './priceLooks.ts'

interface Props {
  price: TablePrice | undefined
  currency: Currency
}

/** One price of the grid: the target price and, if the machine has another, that price with its state. */
export function PriceCell({ price, currency }: Props) {
  const { t } = useTranslation(['price', 'vocabulary'])
  if (!price) return '–'
  const { wanted: target, sync, planned } = price
  const actual = machinePrice(price)
  if (target === null)
    return (
      <Stack component="span" gap={1} align="flex-end" display="inline-flex">
        {actual ? <Amount minor={actual.price} currency={currency} /> : '–'}
        <Planned planned={planned} currency={currency} />
      </Stack>
    )
  const isOther = actual !== undefined && actual.price !== target
  // An audit may contradict a price that the machine has confirmed.
  const look = sync === 'sync' && isOther ? priceFaultLooks[actual.by] : priceSyncLooks[sync]
  const word = t(look.word)
  return (
    <Stack component="span" gap={1} align="flex-end" display="inline-flex">
      <Group component="span" gap="snug" wrap="nowrap" display="inline-flex">
        {sync === 'sync' && !isOther && (
          <span role="img" aria-label={word} title={word}>
            <StatusMark mark={look.mark} tone={look.tone} />
          </span>
        )}
        <Amount minor={target} currency={currency} />
      </Group>
      {(sync !== 'sync' || isOther) && (
        <Group
          component="span"
          gap={5}
          wrap="nowrap"
          display="inline-flex"
          fz="xs"
          lh="xs"
          className="one-line"
          style={{ color: `var(--${look.tone})` }}
        >
          <StatusMark mark={look.mark} tone={look.tone} />
          <span>{word}</span>
          {isOther && <Amount minor={actual.price} currency={currency} />}
        </Group>
      )}
      <Planned planned={planned} currency={currency} />
    </Stack>
  )
}

/** The next planned price, and how many follow. */
function Planned({ planned, currency }: { planned: TablePrice['planned']; currency: Currency }) {
  const { t } = useTranslation('price')
  const format = useFormat()
  const [next, ...later] = planned
  if (!next) return null
  return (
    <Text span textWrap="nowrap" c="dimmed" fz="xs" lh="xs">
      <Amount minor={next.price} currency={currency} /> {t('planned.from')} <When at={next.startsAt} as="day" />
      {later.length > 0 && ` ${t('planned.more', { count: later.length, number: format.number(later.length) })}`}
    </Text>
  )
}
