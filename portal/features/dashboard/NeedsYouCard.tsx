import { IconMoodCheck } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dashboard } from '#contract/dashboard.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { Card } from '../../ui/Card.tsx'
import { lazyPart, Part } from '../../ui/lazyPart.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import classes from './Dashboard.module.css'

/** Lines that fit the card. */
const linesShown = 6

/** With the names of alarms, which nothing needs before the first numbers are there. */
const NeedsYouLines = lazyPart(() => import('./NeedsYouLines.tsx'), ['machine-event', 'vocabulary'])

const waiting = Array.from({ length: linesShown }, (_, index) => (
  // Bars without identity.
  <li key={index} className={classes.line} aria-hidden>
    <span className={classes.bone} style={{ width: 64 }} />
    <span className={classes.bone} style={{ width: `${32 + ((index * 17) % 30)}%` }} />
  </li>
))

/** What wants a person now, worst first, each line leading to its machine. */
export function NeedsYouCard({ today }: { today: Dashboard | undefined }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const lines = today?.needsYou.slice(0, linesShown)
  // On their way while the numbers are.
  useEffect(() => NeedsYouLines.preload(), [])
  return (
    <Card
      title={t('needs.title')}
      note={today && today.needsYouTotal > 0 ? format.number(today.needsYouTotal) : undefined}
      isFlush
      className={classes.needs}
    >
      {today && lines?.length === 0 ? (
        <div className={classes.calm}>
          <IconMoodCheck size={26} aria-hidden />
          <strong>{t('needs.none')}</strong>
          <span>{t('needs.noneText')}</span>
        </div>
      ) : (
        <ul className={classes.lines}>
          {lines ? (
            <Part fallback={waiting}>
              <NeedsYouLines lines={lines} />
            </Part>
          ) : (
            waiting
          )}
        </ul>
      )}
      {today && <Counts today={today} />}
    </Card>
  )
}

/** What the card's lines are part of, each number leading to all of it. */
function Counts({ today }: { today: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const open = { statuses: ['active', 'notification'] }
  const counts = [
    {
      key: 'blockingAlarms',
      count: today.openBlockingAlarms,
      place: { to: '/alarms', search: { ...open, criticities: '4' } },
    },
    { key: 'soldOut', count: today.soldOut, place: { to: '/devices/list', search: { soldOut: 'true' } } },
    {
      key: 'fullBoxesShort',
      count: today.fullCashBoxes,
      place: { to: '/devices/list', search: { fullCashBox: 'true' } },
    },
  ].filter(({ count }) => count > 0)
  return (
    <div className={classes.counts}>
      {counts.map(({ key, count, place }) => (
        <PlaceLink key={key} place={place} className={classes.below}>
          {t(`count.${key}`, { count, number: format.number(count) })}
        </PlaceLink>
      ))}
      <PlaceLink
        place={{ to: '/devices/list', search: { states: ['blocked', 'silent', 'warning'] } }}
        className={`${classes.below} ${classes.all}`}
      >
        {t('needs.all')}
      </PlaceLink>
    </div>
  )
}
