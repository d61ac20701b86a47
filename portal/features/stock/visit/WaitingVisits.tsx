import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { sendVisits } from './sendVisits.ts'
import { useKeptVisits } from './useKeptVisits.ts'
import classes from './Visit.module.css'
import VisitSender from './VisitSender.tsx'

/** Says which visits are kept on this phone, and which of them the server refused. */
export function WaitingVisits() {
  const { t } = useTranslation('visit')
  const format = useFormat()
  const { me } = useSession()
  const kept = useKeptVisits()
  const waiting = kept.filter(({ refused }) => refused === null)
  const refused = kept.filter((one) => one.refused !== null)
  return (
    <div aria-live="polite">
      {me && <VisitSender userId={me.id} />}
      {waiting.length > 0 && (
        <p className={classes.kept} data-tone="warn">
          <IconCloudOff size={17} aria-hidden />
          <span>
            <strong>{t('kept.title')}</strong>{' '}
            {t('kept.waiting', { count: waiting.length, number: format.number(waiting.length) })}
          </span>
          <Button variant="subtle" size="compact-sm" onClick={() => me && void sendVisits(me.id)}>
            {t('kept.send')}
          </Button>
        </p>
      )}
      {refused.map(({ id, posId, posName }) => (
        <p key={id} className={classes.kept} data-tone="crit">
          <IconAlertTriangle size={17} aria-hidden />
          <span>{t('kept.refused', { name: posName })}</span>
          <PlaceLink
            place={{ to: '/devices/$posId/visit', params: { posId }, search: { visit: id } }}
            className={classes.link ?? ''}
          >
            {t('kept.open')}
          </PlaceLink>
        </p>
      ))}
    </div>
  )
}
