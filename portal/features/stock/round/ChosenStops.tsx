import { ActionIcon, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitReason } from '#contract/stock/round.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Reasons } from './Reasons.tsx'
import classes from './Round.module.css'

export interface PlannedStop {
  posId: string
  posName: string
  latitude: number | null
  longitude: number | null
  reasons: readonly VisitReason[]
  lostSales: number
  cashInBox: number | null
  pieces: number
}

interface Props {
  stops: readonly PlannedStop[]
  currency: Currency
  move: (from: number, to: number) => void
  remove: (posId: string) => void
}

/** The stops in driving order: dragged, or moved by their buttons. */
export function ChosenStops({ stops, currency, move, remove }: Props) {
  const { t } = useTranslation('round')
  const [dragged, setDragged] = useState<number>()
  if (stops.length === 0)
    return (
      <Text py="wide" px="md" c="dimmed">
        {t('plan.choose')}
      </Text>
    )
  return (
    <ol className={classes.rows}>
      {stops.map(({ posId, posName, reasons, lostSales, cashInBox }, at) => (
        <li
          key={posId}
          className={classes.stop}
          draggable
          data-dragged={dragged === at || undefined}
          onDragStart={({ dataTransfer }) => {
            dataTransfer.effectAllowed = 'move'
            setDragged(at)
          }}
          onDragOver={(event) => event.preventDefault()}
          onDragEnter={() => {
            if (dragged === undefined || dragged === at) return
            move(dragged, at)
            setDragged(at)
          }}
          onDragEnd={() => setDragged(undefined)}
        >
          <IconGripVertical size={15} aria-hidden className={`${classes.grip} wide-only`} />
          <Stack
            component="span"
            gap={0}
            align="center"
            justify="center"
            flex="none"
            w={26}
            h={26}
            fz="fine"
            fw={660}
            className={classes.number}
          >
            {at + 1}
          </Stack>
          <Stack component="span" gap={3} flex="1" miw={0} className={`${classes.two} breaks`}>
            <strong>{posName}</strong>
            <Reasons reasons={reasons} />
          </Stack>
          <Text span miw={84} fw={600} ta="right">
            <Amount minor={lostSales + (cashInBox ?? 0)} currency={currency} />
          </Text>
          <span className={classes.acts}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('plan.up', { name: posName })}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            >
              <IconArrowUp size={15} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('plan.down', { name: posName })}
              disabled={at === stops.length - 1}
              onClick={() => move(at, at + 1)}
            >
              <IconArrowDown size={15} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('plan.remove', { name: posName })}
              onClick={() => remove(posId)}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </span>
        </li>
      ))}
    </ol>
  )
}
