import { Button, Flex, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { priceChanges } from '#contract/catalogue/price-change.ts'
import type { ResultOf } from '#contract/frame/endpoint.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './PriceChange.module.css'

export type PriceChangeResult = ResultOf<typeof priceChanges.changePrices>

interface Props {
  result: PriceChangeResult
  /** The first day of the prices; undefined for now. */
  startsOn: string | null
  again: () => void
}

/** The changed and sent prices, and the machines without them, with the reason. */
export function ChangeResult({ result, startsOn, again }: Props) {
  const { t } = useTranslation(['price-change', 'errors'])
  const format = useFormat()
  const many = (count: number) => ({ count, number: format.number(count) })
  const { changed, machines, sent, unsent } = result
  return (
    <Panel component="section" maw={980} pt="md" pb="wide" px="wide" aria-labelledby="price-change-result">
      <Stack gap="part">
        <Title id="price-change-result" order={2} fz="figure" fw={640} lh="25px">
          {t(startsOn ? 'price-change:result.planned' : 'price-change:result.changed', {
            prices: t('price-change:preview.prices', many(changed)),
            machines: t('price-change:preview.machines', many(machines)),
            day: startsOn && format.day(startsOn),
          })}
        </Title>
        {sent > 0 && (
          <Text c="dimmed" fz="sm">
            {t('price-change:result.sent', many(sent))}
          </Text>
        )}
        {unsent.length > 0 && (
          <>
            <Note tone="warn" bdrs="inner" role="alert">
              {t('price-change:result.unsent', many(unsent.length))}
            </Note>
            <Panel
              component="ul"
              radius="inner"
              bg="transparent"
              className={classes.unsent}
              aria-label={t('price-change:result.unsentList')}
            >
              {unsent.map(({ posId, posName, code }) => (
                <li key={posId}>
                  <PlaceLink
                    className={`${classes.machine} quiet`}
                    place={{ to: '/devices/$posId/prices', params: { posId } }}
                  >
                    {posName}
                  </PlaceLink>
                  <Badge tone="warn" mark="dash">
                    {t('price-change:result.notSent')}
                  </Badge>
                  <Text span c="dimmed" fz="sm">
                    {t(`errors:${code}`)}
                  </Text>
                </li>
              ))}
            </Panel>
          </>
        )}
        <Flex rowGap="xs" columnGap="part" wrap="wrap" align="flex-end" className={classes.line}>
          <Button onClick={again}>{t('price-change:result.again')}</Button>
          <Button<typeof PlaceLink>
            component={PlaceLink}
            variant="default"
            place={{ to: startsOn ? '/devices/price-plans' : '/devices/wrong-prices' }}
          >
            {t(startsOn ? 'price-change:result.plans' : 'price-change:result.wrong')}
          </Button>
        </Flex>
      </Stack>
    </Panel>
  )
}
