import { Checkbox, Flex, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WeekRound, WeekStop } from '#contract/stock/week-plan.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { sumsOf } from './sumsOf.ts'
import type { ChosenStops } from './useChosenStops.ts'
import classes from './Week.module.css'
import { WeekReasons } from './WeekReasons.tsx'

interface Props {
  round: WeekRound
  currency: Currency
  /** Undefined: the user may not create rounds. */
  chosen: ChosenStops | undefined
  /** Its stops are shown from the start. */
  isOpen: boolean
}

/** A proposed round: its sums, and its stops in driving order. */
export function ProposedRound({ round, currency, chosen, isOpen }: Props) {
  const { t } = useTranslation('week-plan')
  const format = useFormat()
  const [isShown, show] = useState(isOpen)
  const kept = chosen ? round.stops.filter(({ posId }) => chosen.has(round, posId)) : round.stops
  const sums = sumsOf(kept)
  const posIds = round.stops.map(({ posId }) => posId)
  return (
    <section className={classes.round} aria-label={round.routeName}>
      <Stack gap="tight" p="xs">
        {chosen ? (
          <Checkbox
            label={round.routeName}
            fw={650}
            checked={kept.length === round.stops.length}
            indeterminate={kept.length > 0 && kept.length < round.stops.length}
            onChange={({ currentTarget }) => chosen.choose(round, posIds, currentTarget.checked)}
          />
        ) : (
          <strong>{round.routeName}</strong>
        )}
        {round.assigneeName && (
          <Text c="dimmed" fz="fine" className="breaks">
            {round.assigneeName}
          </Text>
        )}
        <Text c="dimmed" fz="fine">
          {[
            t('stops', { count: sums.stops, number: format.number(sums.stops) }),
            t('pieces', { count: sums.pieces, number: format.number(sums.pieces) }),
            format.money(sums.lostSales, currency),
          ].join(' · ')}
        </Text>
      </Stack>
      <details open={isShown} onToggle={({ currentTarget }) => show(currentTarget.open)}>
        <summary className={classes.summary}>{t('show')}</summary>
        {isShown && (
          <ol className={classes.stops}>
            {round.stops.map((stop) => (
              <Stop key={stop.posId} stop={stop} round={round} currency={currency} chosen={chosen} />
            ))}
          </ol>
        )}
      </details>
    </section>
  )
}

function Stop({ stop, round, currency, chosen }: Pick<Props, 'round' | 'currency' | 'chosen'> & { stop: WeekStop }) {
  const { t } = useTranslation('week-plan')
  const format = useFormat()
  const { posId, posName, reasons, pieces, skipCost, opensAt, closesAt } = stop
  const isKept = chosen?.has(round, posId) ?? true
  return (
    <li className={classes.stop} data-removed={!isKept || undefined}>
      <Flex gap="snug" align="start">
        {chosen && (
          <Checkbox
            size="xs"
            mt={2}
            aria-label={t('visit', { name: posName })}
            checked={isKept}
            onChange={({ currentTarget }) => chosen.choose(round, [posId], currentTarget.checked)}
          />
        )}
        <Stack gap={3} miw={0} className="breaks">
          <PlaceLink place={{ to: '/devices/$posId', params: { posId } }}>{posName}</PlaceLink>
          <WeekReasons reasons={reasons} currency={currency} />
          <Text c="dimmed" fz="fine">
            {t('pieces', { count: pieces, number: format.number(pieces) })}
            {(opensAt ?? closesAt) !== null && ` · ${t('hours', { opens: opensAt ?? '', closes: closesAt ?? '' })}`}
          </Text>
          {skipCost > 0 && (
            <Text c="dimmed" fz="fine">
              {t('skipCost')} <Amount minor={skipCost} currency={currency} />
            </Text>
          )}
        </Stack>
      </Flex>
    </li>
  )
}
