import { Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Place } from '#portal/app/place.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from '../visit/Visit.module.css'
import OutboxSender from './OutboxSender.tsx'
import { outbox } from './outbox.ts'
import { sendOutbox } from './sendOutbox.ts'
import { isHeldUp, type KeptStep, subjectOf } from './steps.ts'
import { useOutbox } from './useOutbox.ts'

/** The phone's time zone. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Where a refused step is corrected; a start, a skip or an end can only be discarded. */
function placeOf(step: KeptStep): Place | undefined {
  if (step.kind === 'visit')
    return { to: '/devices/$posId/visit', params: { posId: step.posId }, search: { visit: step.id } }
  if (step.kind === 'pick')
    return { to: '/devices/rounds/$roundId/pick-list', params: { roundId: step.roundId }, search: { pick: step.id } }
  return undefined
}

/** Says which steps are kept on this phone, and which of them the server refused. */
export function WaitingSteps() {
  const { t } = useTranslation(['visit', 'errors'])
  const format = useFormat()
  const { me, offline } = useSession()
  const { ask, dialog } = useConfirm()
  const steps = useOutbox()
  const waiting = steps.filter(({ refused }) => refused === null)
  const refused = steps.filter((one) => one.refused !== null)
  const visitCount = waiting.filter(({ kind }) => kind === 'visit').length
  const counts = [
    visitCount > 0 && t('visit:kept.waiting', { count: visitCount, number: format.number(visitCount) }),
    waiting.length > visitCount &&
      t('visit:kept.steps', {
        count: waiting.length - visitCount,
        number: format.number(waiting.length - visitCount),
      }),
  ]
  const discard = (step: KeptStep) =>
    ask({
      title: t(`visit:discard.title.${step.kind}`, { name: subjectOf(step) }),
      consequence: t(step.kind === 'visit' ? 'visit:discard.text' : 'visit:discard.step', {
        at: format.instant(new Date(step.keptAt), 'minute', zone),
      }),
      confirm: t(step.kind === 'visit' ? 'visit:discard.confirm' : 'visit:discard.confirmStep'),
      dismiss: { how: 'keep', count: 1 },
      isDanger: true,
      act: () => outbox.remove(step.id),
    })
  return (
    <div aria-live="polite">
      {me && <OutboxSender userId={me.id} />}
      {waiting.length > 0 && (
        <Group component="p" gap="xs" mb="sm" py="xs" px="part" bdrs="inner" className={classes.kept} data-tone="warn">
          <IconCloudOff size={17} aria-hidden />
          <Text span flex="1 1 220px">
            <strong>{t('visit:kept.title')}</strong> {counts.filter(Boolean).join(', ')}
            {isHeldUp(steps) && ` · ${t('visit:kept.heldUp')}`}
          </Text>
          {offline === null && (
            <Button variant="subtle" size="compact-sm" onClick={() => me && void sendOutbox(me.id)}>
              {t('visit:kept.send')}
            </Button>
          )}
        </Group>
      )}
      {refused.map((step) => (
        <Group
          key={step.id}
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
            {t(`visit:kept.refused.${step.kind}`, { name: subjectOf(step) })}{' '}
            {step.refused && t(`errors:${step.refused.code}`, step.refused.facts)}
          </Text>
          <Correct place={placeOf(step)} />
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={() => discard(step)}
          >
            {t('visit:kept.discard')}
          </Button>
        </Group>
      ))}
      {dialog}
    </div>
  )
}

function Correct({ place }: { place: Place | undefined }) {
  const { t } = useTranslation('visit')
  return (
    place && (
      <PlaceLink place={place} className={classes.link ?? ''}>
        {t('kept.open')}
      </PlaceLink>
    )
  )
}
