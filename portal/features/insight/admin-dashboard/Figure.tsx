import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Place } from '#portal/app/place.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './AdminDashboard.module.css'
import { Veil } from './Veil.tsx'

/** A count that can be hidden, linked to the list behind it. */
export function Figure({
  count,
  place,
  isSmall = false,
}: {
  count: number | undefined
  place?: Place
  isSmall?: boolean
}) {
  const format = useFormat()
  const written = (
    <Veil>
      {count === undefined ? (
        <Text
          span
          display="inline-block"
          w="2.4em"
          h="0.7em"
          bdrs="xs"
          bg="var(--sunken)"
          style={{ verticalAlign: 'middle' }}
        />
      ) : (
        <span>{format.number(count)}</span>
      )}
    </Veil>
  )
  const className = isSmall ? classes.small : classes.number
  return place ? (
    <PlaceLink place={place} className={className}>
      {written}
    </PlaceLink>
  ) : (
    written
  )
}

/** A count followed by its unit, as in the small lines of a card; both are the link. */
export function CountLink({
  count,
  place,
  children,
}: {
  count: number | undefined
  place: Place
  children: ReactNode
}) {
  return (
    <PlaceLink place={place} className={classes.counted}>
      <strong>
        <Figure count={count} />
      </strong>
      {children}
    </PlaceLink>
  )
}
