import { Button, Flex, SimpleGrid, Text, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TablePrice } from '#contract/catalogue/price.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { tableWord } from './machinePrice.ts'
import classes from './PriceTruth.module.css'
import { priceSyncLooks } from './priceLooks.ts'

interface Props {
  posId: string
  price: TablePrice
  currency: Currency
  edit: (() => void) | undefined
}

const observations = ['sent', 'reported', 'audited', 'charged'] as const

/**
 * One price list of a selection: target, sent, reported, audited and charged prices side by side. Differences from the
 * target are marked.
 */
export function PriceTruth({ posId, price, currency, edit }: Props) {
  const { t } = useTranslation(['price', 'vocabulary'])
  const format = useFormat()
  const { priceTable, wanted: target, wantedAt, sync, loss, planned } = price
  const name = t(tableWord(priceTable))
  const facts = [
    { key: 'wanted', observation: target === null ? null : { price: target, at: wantedAt }, differs: false },
    ...observations.map((key) => {
      const observation = price[key]
      return { key, observation, differs: observation !== null && target !== null && observation.price !== target }
    }),
  ]
  return (
    <Panel component="section" miw={0} pt={11} pb={13} px="md" aria-label={name}>
      <Flex component="header" rowGap="snug" columnGap="xs" wrap="wrap" align="center" mb="near">
        <Title order={3} fz="head" fw={650} lh="inherit">
          {name}
        </Title>
        <StatusBadge of={priceSyncLooks} value={sync} />
        {edit && (
          <Button
            className={classes.change}
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={edit}
          >
            {t('price:edit.one')}
          </Button>
        )}
      </Flex>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 5 }} spacing="snug" className={classes.sights}>
        {facts.map(({ key, observation, differs }) => (
          <div key={key} className={classes.sight} data-differs={differs || undefined}>
            <dt>{t(`price:truth.${key === 'wanted' ? 'target' : key}`)}</dt>
            <dd>
              <Flex component="span" gap={5} align="baseline" display="inline-flex" fw={600} className={classes.price}>
                {observation ? <Amount minor={observation.price} currency={currency} /> : '–'}
                {differs && (
                  <span role="img" aria-label={t('price:truth.differs')} title={t('price:truth.differs')}>
                    ≠
                  </span>
                )}
              </Flex>
              <Text span c="dimmed" fz="xs" lh="xs">
                {observation && <When at={observation.at} />}
              </Text>
            </dd>
          </div>
        ))}
      </SimpleGrid>
      {loss && (
        <Text mt="xs" pt={9} fz="sm" className={classes.planned}>
          <PlaceLink place={{ to: '/devices/wrong-prices', search: { posIds: posId } }}>
            {t('price:loss.open', { count: loss.sales, number: format.number(loss.sales) })}
          </PlaceLink>{' '}
          <Amount minor={Math.abs(loss.lost)} currency={currency} />{' '}
          {t(loss.lost < 0 ? 'price:loss.over' : 'price:loss.under')}
        </Text>
      )}
      {planned.map((plan) => (
        <Text key={plan.pricePlanId} mt="xs" pt={9} fz="sm" className={classes.planned}>
          <strong>{t('price:planned.name')}</strong> <Amount minor={plan.price} currency={currency} />{' '}
          {t('price:planned.from')} <When at={plan.startsAt} as="minute" />{' '}
          <PlaceLink place={{ to: '/devices/price-plans/$pricePlanId', params: { pricePlanId: plan.pricePlanId } }}>
            {t('price:planned.view')}
          </PlaceLink>
        </Text>
      ))}
    </Panel>
  )
}
