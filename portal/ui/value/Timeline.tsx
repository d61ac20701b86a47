import { Box, Button, Flex, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstantStyle } from '#portal/app/i18n/format.ts'
import type { Tone } from '#portal/app/theme/theme.ts'
import { When } from '../time/When.tsx'
import classes from './Timeline.module.css'

export interface TimelineItem {
  id: string
  /** The wire's instant. */
  at: string
  tone: Tone
  title: ReactNode
  note?: ReactNode
}

interface Props {
  items: readonly TimelineItem[]
  timeZone?: string
  /** How times are written; by default without the year, unless it is another one. */
  as?: InstantStyle
  /** Fetches earlier events; absent when there are none. */
  more?: () => void
  isLoading?: boolean
  /** In place of events, if there are none. */
  none?: string | undefined
}

/** Events, newest first. */
export function Timeline({ items, timeZone, as = 'minute', more, isLoading = false, none }: Props) {
  const { t } = useTranslation('ui')
  if (items.length === 0 && !isLoading) return <p className={classes.none}>{none ?? t('timeline.empty')}</p>
  return (
    <>
      <Box component="ol" pl="hair">
        {items.map(({ id, at, tone, title, note }) => (
          <Box key={id} component="li" pos="relative" pb={15} pl="lg" className={classes.item}>
            <span
              className={classes.dot}
              style={{ borderColor: `var(--${tone === 'mute' ? 'ink-3' : tone})` }}
              aria-hidden
            />
            <Flex rowGap={0} columnGap={9} wrap="wrap" align="baseline">
              <Text span fw={600}>
                {title}
              </Text>
              <span className={classes.at}>
                <When at={at} as={as} timeZone={timeZone} />
              </span>
            </Flex>
            {note !== undefined && note !== null && <Box className={`${classes.note} breaks`}>{note}</Box>}
          </Box>
        ))}
      </Box>
      {more && (
        <Button variant="subtle" loading={isLoading} onClick={more}>
          {t('timeline.more')}
        </Button>
      )}
    </>
  )
}
