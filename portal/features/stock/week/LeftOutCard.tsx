import { Button, Flex, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LeftOutMachine } from '#contract/stock/week-plan.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './Week.module.css'
import { WeekReasons } from './WeekReasons.tsx'

/** So many are shown at first. */
const few = 20

/** Machines that need a visit in the week and get none, the greatest loss first. */
export function LeftOutCard({ machines, currency }: { machines: readonly LeftOutMachine[]; currency: Currency }) {
  const { t } = useTranslation('week-plan')
  const format = useFormat()
  const [isWhole, showAll] = useState(false)
  return (
    <Card title={t('leftOut.title')} note={format.number(machines.length)} isFlush>
      <ul className={classes.stops}>
        {machines.slice(0, isWhole ? undefined : few).map(({ posId, posName, why, reasons, lostSales }) => (
          <li key={posId} className={classes.stop}>
            <Flex gap="near" wrap="wrap" justify="space-between">
              <Stack gap={3} miw={0} className="breaks">
                <PlaceLink place={{ to: '/devices/$posId', params: { posId } }}>{posName}</PlaceLink>
                <WeekReasons reasons={reasons} currency={currency} />
                <Text c="dimmed" fz="fine">
                  {t(`leftOut.${why}`)}
                </Text>
              </Stack>
              <Text span fw={600}>
                <Amount minor={lostSales} currency={currency} />
              </Text>
            </Flex>
          </li>
        ))}
      </ul>
      {!isWhole && machines.length > few && (
        <Button variant="subtle" m="xs" onClick={() => showAll(true)}>
          {t('leftOut.all', { number: format.number(machines.length) })}
        </Button>
      )}
    </Card>
  )
}
