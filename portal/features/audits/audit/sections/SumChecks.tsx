import { Flex, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './SumChecks.module.css'

interface Check {
  id: string
  name: string
  left: ReactNode
  right: ReactNode
  /** Null if a side is unknown. */
  holds: boolean | null
}

/** Sums that should match: both sides, and whether they do. */
export function SumChecks({ checks, label }: { checks: readonly Check[]; label: string }) {
  return (
    <Stack component="ul" gap={0} mb="-snug" aria-label={label}>
      {checks.map(({ id, name, left, right, holds }) => (
        <Group
          key={id}
          component="li"
          gap="sm"
          wrap="nowrap"
          justify="space-between"
          py="near"
          className={classes.check}
        >
          <Flex component="span" rowGap="hair" columnGap="md" wrap="wrap" justify="space-between" flex="1" miw={0}>
            <span>{name}</span>
            <Flex component="span" rowGap="tight" columnGap="near" wrap="wrap" display="inline-flex" c="dimmed">
              {left}
              <span aria-hidden>{holds === false ? '≠' : '·'}</span>
              {right}
            </Flex>
          </Flex>
          <SumVerdict holds={holds} />
        </Group>
      ))}
    </Stack>
  )
}

function SumVerdict({ holds }: { holds: boolean | null }) {
  const { t } = useTranslation('audit')
  if (holds === null)
    return (
      <Badge tone="mute" mark="dash">
        {t('check.unknown')}
      </Badge>
    )
  return (
    <Badge tone={holds ? 'ok' : 'warn'} mark={holds ? 'check' : 'triangle'}>
      {t(holds ? 'check.holds' : 'check.differs')}
    </Badge>
  )
}
