import { Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { sendVisits } from './sendVisits.ts'
import { useKeptVisits } from './useKeptVisits.ts'
import classes from './Visit.module.css'
import VisitSender from './VisitSender.tsx'
import { type KeptVisit, visitStore } from './visitStore.ts'

/** The phone's time zone. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Says which visits are kept on this phone, and which of them the server refused. */
export function WaitingVisits() {
  const { t } = useTranslation(['visit', 'errors'])
  const format = useFormat()
  const { me } = useSession()
  const { ask, dialog } = useConfirm()
  const visits = useKeptVisits()
  const waiting = visits.filter(({ refused }) => refused === null)
  const refused = visits.filter((one) => one.refused !== null)
  const discard = ({ id, posName, keptAt }: KeptVisit) =>
    ask({
      title: t('visit:discard.title', { name: posName }),
      consequence: t('visit:discard.text', { at: format.instant(new Date(keptAt), 'minute', zone) }),
      confirm: t('visit:discard.confirm'),
      dismiss: { how: 'keep', count: 1 },
      isDanger: true,
      act: () => visitStore.remove(id),
    })
  return (
    <div aria-live="polite">
      {me && <VisitSender userId={me.id} />}
      {waiting.length > 0 && (
        <Group component="p" gap="xs" mb="sm" py="xs" px="part" bdrs="inner" className={classes.kept} data-tone="warn">
          <IconCloudOff size={17} aria-hidden />
          <Text span flex="1 1 220px">
            <strong>{t('visit:kept.title')}</strong>{' '}
            {t('visit:kept.waiting', { count: waiting.length, number: format.number(waiting.length) })}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={() => me && void sendVisits(me.id)}>
            {t('visit:kept.send')}
          </Button>
        </Group>
      )}
      {refused.map((visit) => (
        <Group
          key={visit.id}
          component="p"
          gap="xs"
          mb="sm"
          py="xs"
          px="part"
          bdrs="inner"
          className={classes.kept}
          data-tone="crit"
        >
          <IconAlertTriangle size={17} aria-hidden />
          <Text span flex="1 1 220px">
            {t('visit:kept.refused', { name: visit.posName })}{' '}
            {visit.refused && t(`errors:${visit.refused.code}`, visit.refused.facts)}
          </Text>
          <PlaceLink
            place={{ to: '/devices/$posId/visit', params: { posId: visit.posId }, search: { visit: visit.id } }}
            className={classes.link ?? ''}
          >
            {t('visit:kept.open')}
          </PlaceLink>
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={() => discard(visit)}
          >
            {t('visit:kept.discard')}
          </Button>
        </Group>
      ))}
      {dialog}
    </div>
  )
}
