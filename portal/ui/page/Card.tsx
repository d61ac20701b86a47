import { Flex, Group, SimpleGrid, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Tone } from '#portal/app/theme/theme.ts'
import type { Place } from '../../app/place.ts'
import { Sparkline } from '../chart/Sparkline.tsx'
import { PlaceLink } from '../value/PlaceLink.tsx'
import classes from './Card.module.css'

interface CardProps {
  title: string
  /** Small text after the title. */
  note?: ReactNode
  /** At the end of the title's line. */
  actions?: ReactNode
  /** Its content reaches the edges, like rows. */
  isFlush?: boolean
  children: ReactNode
  className?: string
}

/** A named part of a page. */
export function Card({ title, note, actions, isFlush = false, children, className }: CardProps) {
  return (
    <section className={`${classes.card} ${className ?? ''}`}>
      <Flex
        component="header"
        rowGap="snug"
        columnGap="sm"
        wrap="wrap"
        align="center"
        justify="space-between"
        mih={30}
        pt={13}
        px="md"
      >
        <Title order={2} fz="head" fw={650} lh="md" className={classes.title}>
          {title}
          {note !== undefined && (
            <Text span ml={7} c="dimmed" fz="xs" fw={400}>
              {note}
            </Text>
          )}
        </Title>
        {actions}
      </Flex>
      <div className={isFlush ? classes.flush : classes.body}>{children}</div>
    </section>
  )
}

interface StatProps {
  label: string
  value: ReactNode
  /** The line below, which explains the number. */
  note?: ReactNode
  /** The last values, for the trend. */
  trend?: readonly number[]
  /** Colour of the trend. */
  trendTone?: Tone | 'gold-fill' | 'ink-3'
  /** The list behind the number. */
  place?: Place
}

/** A number at a glance, linked to the list behind it. */
export function StatCard({ label, value, note, trend, trendTone = 'gold-fill', place }: StatProps) {
  const content = (
    <>
      <Text span c="dimmed" fz="sm">
        {label}
      </Text>
      <Group component="span" gap="xs" wrap="nowrap" justify="space-between">
        <Text
          span
          textWrap="nowrap"
          fz={{ base: 'xl', xs: 25 }}
          fw={680}
          lh={{ base: '30px', xs: '36px' }}
          lts="-0.015em"
        >
          {value}
        </Text>
        {trend && (
          <Text span flex="0 1 auto" miw={0} className={`wide-only clips`}>
            <Sparkline values={trend} color={trendTone} />
          </Text>
        )}
      </Group>
      {note !== undefined && (
        <Text span c="dimmed" fz="sm">
          {note}
        </Text>
      )}
    </>
  )
  return place ? (
    <PlaceLink place={place} className={`${classes.stat} ${classes.leads}`}>
      {content}
    </PlaceLink>
  ) : (
    <div className={classes.stat}>{content}</div>
  )
}

/** Numbers side by side; as many in a row as fit. */
export const StatCards = ({ children }: { children: ReactNode }) => (
  <SimpleGrid minColWidth={210} autoFlow="auto-fit" spacing="part" className={classes.stats}>
    {children}
  </SimpleGrid>
)
