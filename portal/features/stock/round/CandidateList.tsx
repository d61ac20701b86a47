import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { VisitCandidate } from '#contract/stock/round.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Reasons } from './Reasons.tsx'
import classes from './Round.module.css'

interface Props {
  candidates: readonly VisitCandidate[]
  /** How many others there are, and what shows more of them. */
  left: number
  more: (() => void) | undefined
  isLoading: boolean
  isLoadingMore: boolean
  selectedIds: readonly string[]
  /** The round that is edited: its own stops are no stops of another one. */
  roundId: string | undefined
  currency: Currency
  toggle: (posId: string) => void
}

/** Machines worth a visit, the most money at stake first. */
export function CandidateList(props: Props) {
  const { candidates, left, more, isLoading, isLoadingMore, selectedIds, roundId, currency, toggle } = props
  const { t } = useTranslation('round')
  const format = useFormat()
  if (!isLoading && candidates.length === 0)
    return (
      <Text py="wide" px="md" c="dimmed">
        {t('plan.nothing')}
      </Text>
    )
  return (
    <>
      <ul className={classes.rows} aria-busy={isLoading}>
        {candidates.map((one) => {
          const { posId, posName, reasons, atStake, round } = one
          const where = [one.clientName, one.address].filter(Boolean).join(' · ')
          return (
            <li key={posId}>
              <label className={classes.candidate} data-chosen={selectedIds.includes(posId) || undefined}>
                <Checkbox
                  checked={selectedIds.includes(posId)}
                  onChange={() => toggle(posId)}
                  aria-label={posName}
                  size="sm"
                />
                <Stack component="span" gap={3} flex="1" miw={0} className={`${classes.two} breaks`}>
                  <strong>{posName}</strong>
                  <Text span c="dimmed" fz="fine">
                    {where || one.posSerial}
                  </Text>
                  {round && round.id !== roundId && (
                    <span className={classes.elsewhere}>
                      {t('plan.elsewhere', { name: round.name, day: format.day(round.day) })}
                    </span>
                  )}
                </Stack>
                <Reasons reasons={reasons} />
                <Text span miw={84} fw={600} ta="right">
                  <Amount minor={atStake} currency={currency} />
                </Text>
              </label>
            </li>
          )
        })}
      </ul>
      {more && (
        <div className={classes.more}>
          <Button variant="subtle" size="compact-sm" onClick={more} loading={isLoadingMore}>
            {t('plan.more', { number: format.number(left) })}
          </Button>
        </div>
      )}
    </>
  )
}
