import { Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Rollout, RolloutCounts } from '#contract/updates/rollout.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { When } from '#portal/ui/time/When.tsx'
import { StatusMark } from '#portal/ui/value/StatusBadge.tsx'
import classes from './UpdateRule.module.css'

/** The parts of a cohort's bar, in its order. */
const parts = [
  { tone: 'ok', of: ({ confirmed }: RolloutCounts) => confirmed, word: 'confirmed' },
  { tone: 'info', of: ({ sent, watching }: RolloutCounts) => sent + watching, word: 'underWay' },
  { tone: 'crit', of: ({ failed, silent, alarmed }: RolloutCounts) => failed + silent + alarmed, word: 'bad' },
  { tone: 'warn', of: ({ accepted }: RolloutCounts) => accepted, word: 'accepted' },
] as const

/** The cohorts, each with those before it: size, machines by state, and whether it is open. */
export function RolloutCohorts({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const { cohorts, cohort: open, state, counts: all } = rollout
  const hasReturned = state === 'ended' && rollout.direction === 'back' && all.waiting === 0
  return (
    <ol className={classes.cohorts}>
      {cohorts.map(({ cohort, machines, counts, openedAt, needed }, at) => {
        const isLater = at > open || state === 'draft'
        const isDone = at < open || state === 'complete' || hasReturned
        const isHalted = at === open && state === 'halted'
        const visibleParts = parts.map((part) => ({ ...part, count: part.of(counts) })).filter(({ count }) => count > 0)
        return (
          <Stack key={at} component="li" gap="snug" miw={0} className={classes.cohort} data-later={isLater}>
            <Flex gap="near" align="baseline" fw={600}>
              <StatusMark
                mark={isDone ? 'check' : isHalted ? 'triangle' : isLater ? 'ring' : 'half'}
                tone={isDone ? 'ok' : isHalted ? 'crit' : isLater ? 'mute' : 'info'}
              />
              {cohort.by === 'percent'
                ? cohort.size === 100
                  ? t('cohort.all')
                  : format.percent(cohort.size / 100)
                : t('cohort.first', { count: cohort.size, number: format.number(cohort.size) })}
              {!(cohort.by === 'machines') && (
                <Text span c="faint" fz="xs" fw={400}>
                  {t('cohort.machines', { count: machines, number: format.number(machines) })}
                </Text>
              )}
            </Flex>
            <div className={classes.bar}>
              {visibleParts.map(({ tone, count, word }) => (
                <Text
                  key={word}
                  span
                  h="100%"
                  style={{ width: `${(100 * count) / Math.max(1, machines)}%`, background: `var(--${tone})` }}
                />
              ))}
            </div>
            <p className={classes.facts}>
              {visibleParts.length > 0
                ? visibleParts
                    .map(({ word, count }) => t(`part.${word}`, { count, number: format.number(count) }))
                    .join(' · ')
                : t('part.none')}
            </p>
            <Text c="faint" fz="xs">
              {openedAt && !isLater ? (
                <>
                  {t('cohort.opened')} <When at={openedAt} as="minute" timeZone={rollout.timeZone} />
                </>
              ) : (
                t('cohort.needs', { count: needed, number: format.number(needed) })
              )}
            </Text>
          </Stack>
        )
      })}
    </ol>
  )
}
