import { Anchor, Box, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Place } from '#portal/app/place.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './Transaction.module.css'
import type { UsedShare } from './usedShares.ts'

/** Rows of a card before all are requested. */
const mostShown = 10

/** A breakdown of transactions, each part with its number, money and share; a name links to its transactions. */
export function SharesCard<Code extends string | number | null>(props: {
  title: string
  /** Undefined while they load. */
  shares: readonly UsedShare<Code>[] | undefined
  error: Error | null
  retry: () => void
  nameOf: (code: Code) => string
  placeOf?: (code: Code) => Place | undefined
}) {
  const { t } = useTranslation('transaction')
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const { shares, nameOf } = props
  const more = (shares?.length ?? 0) - mostShown
  return (
    <Card title={props.title}>
      {props.error && !shares ? (
        <ErrorState error={props.error} retry={props.retry} />
      ) : !shares ? (
        <Box h={92} bdrs="lg" bg="var(--sunken)" />
      ) : shares.length === 0 ? (
        <Text c="dimmed">{t('stats.none')}</Text>
      ) : (
        <>
          <ul className={classes.rows}>
            {shares.slice(0, isWhole ? shares.length : mostShown).map(({ code, count, share, money }) => {
              const place = props.placeOf?.(code)
              return (
                <li key={code} className={classes.row}>
                  {place ? (
                    <PlaceLink className={classes.name} place={place}>
                      {nameOf(code)}
                    </PlaceLink>
                  ) : (
                    <span className={classes.plainName}>{nameOf(code)}</span>
                  )}
                  <span>{format.number(count)}</span>
                  {money && (
                    <Text span ta="end" className={classes.money}>
                      <Amount minor={money.value} currency={money.currency} />
                    </Text>
                  )}
                  <Text span c="dimmed" fz="fine" ta="end">
                    {format.percent(share, 1)}
                  </Text>
                  <Text span h={5} bdrs={3} bg="var(--sunken)" className={`${classes.bar} whole clips`} aria-hidden>
                    <span style={{ width: `${Math.max(share * 100, 0.5)}%` }} />
                  </Text>
                </li>
              )
            })}
          </ul>
          {more > 0 && (
            <Anchor component="button" type="button" size="sm" mt="sm" onClick={() => setWhole(!isWhole)}>
              {isWhole ? t('stats.used.fewer') : t('stats.used.more', { count: more, number: format.number(more) })}
            </Anchor>
          )}
        </>
      )}
    </Card>
  )
}
