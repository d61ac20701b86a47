import { Box, Flex, Stack } from '@mantine/core'
import { IconMoodCheck } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dashboard } from '#contract/sales/dashboard.ts'
import { needingAttention } from '#domain/machines/machine-state.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { placeOfAttention } from '#portal/features/machines/machine/places.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './Dashboard.module.css'
import { countsOf, placeOf } from './places.ts'

/** Lines that fit the card. */
const linesShown = 6

/** Counts whose lists are those of a feature. */
const ofFeatures = ['soldOut', 'stockFindings', 'expiredPieces']

/* A line that does not fit is left out, not cut. */
const wholeLines = { display: 'flex', flexFlow: 'column wrap' } as const

/** Loaded later, with the names of alarms: nothing needs them before the first numbers. */
const NeedsYouLines = lazyPart(() => import('./NeedsYouLines.tsx'), ['machine-event', 'vocabulary', 'update-rule'])

const NoMachines = lazyPart(() => import('#portal/ui/part/NoMachines.tsx'), ['first-steps'])

const waiting = Array.from({ length: linesShown }, (_, index) => (
  // Bars without identity.
  <li key={index} className={classes.line} aria-hidden>
    <span className={classes.bone} style={{ width: 64 }} />
    <span className={classes.bone} style={{ width: `${32 + ((index * 17) % 30)}%` }} />
  </li>
))

/** Halted rollouts and the machines that need attention, worst first, each line leading to its page. */
export function NeedsYouCard({ today }: { today: Dashboard | undefined }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const halted = today?.haltedRollouts ?? []
  const isEmpty = today?.machines.total === 0
  // As many as the list behind "View all" has.
  const all = today ? needingAttention(today.machines.posStatuses) : 0
  // A machine in trouble is never hidden by rollouts alone.
  const rollouts = halted.slice(0, linesShown / 2)
  const machines = today?.needsYou.slice(0, linesShown - rollouts.length) ?? []
  // The lines load while the numbers are fetched.
  useEffect(() => NeedsYouLines.preload(), [])
  return (
    <Card title={t('needs.title')} note={all > 0 ? format.number(all) : undefined} isFlush className={classes.needs}>
      {isEmpty ? (
        <Stack flex="1" justify="center">
          <Part>
            <NoMachines />
          </Part>
        </Stack>
      ) : today && rollouts.length + machines.length === 0 ? (
        <Stack
          gap="hair"
          align="center"
          justify="center"
          flex="1"
          p="lg"
          c="dimmed"
          ta="center"
          className={classes.calm}
        >
          <IconMoodCheck size={26} aria-hidden />
          <strong>{t('needs.none')}</strong>
          <span>{t('needs.noneText')}</span>
        </Stack>
      ) : (
        <Box component="ul" flex="1" mih={0} className="clips" style={wholeLines}>
          {today ? (
            <Part fallback={waiting}>
              <NeedsYouLines rollouts={rollouts} machines={machines} />
            </Part>
          ) : (
            waiting
          )}
        </Box>
      )}
      {today && !isEmpty && <Counts today={today} />}
    </Card>
  )
}

/** The totals behind the card's lines, each number with a link to its list. */
function Counts({ today }: { today: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { isAll } = useMerchant()
  const mayDecide = useMay({ needs: 'stock.write' })
  const all = needingAttention(today.machines.posStatuses)
  // The cost of wrong prices; overpaid amounts are no loss.
  const lost = (today.wrongPricesLost ?? [])
    .filter((one) => one.lost > 0)
    .map((one) => format.money(one.lost, one.currency))
  const { claimAnswerMinutes } = today
  const answered =
    claimAnswerMinutes === null || claimAnswerMinutes === undefined
      ? []
      : [
          t('claimAnswer', {
            count: Math.max(1, Math.round(claimAnswerMinutes / 60)),
            number: format.number(Math.max(1, Math.round(claimAnswerMinutes / 60))),
          }),
        ]
  const details: Partial<Record<string, string[]>> = { wrongPrices: lost, openClaims: answered }
  // Only who may decide about stock gets findings.
  const counts = Object.entries(countsOf(today)).filter(
    ([key, count]) => count > 0 && (key !== 'stockFindings' || mayDecide),
  )
  return (
    <Flex rowGap="hair" columnGap="md" wrap="wrap" align="center" flex="none" mih={40} className={classes.counts}>
      {counts.map(([key, count]) => {
        const counted = t(`count.${key}`, { count, number: format.number(count) })
        const text = [counted, ...(details[key] ?? [])].join(' · ')
        // Under all merchants no list is filtered by a feature.
        if (isAll && ofFeatures.includes(key))
          return (
            <span key={key} className={classes.below}>
              {text}
            </span>
          )
        return (
          <PlaceLink key={key} place={placeOf[key as keyof ReturnType<typeof countsOf>]} className={classes.below}>
            {text}
          </PlaceLink>
        )
      })}
      {all > 0 && (
        <PlaceLink place={placeOfAttention} className={`${classes.below} ${classes.all}`}>
          {t('needs.all', { count: all, number: format.number(all) })}
        </PlaceLink>
      )}
    </Flex>
  )
}
