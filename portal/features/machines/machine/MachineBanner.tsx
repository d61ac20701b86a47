import { Button, Flex, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Alarm, alarms } from '#contract/alarms/alarm.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { alarmKey, openStatuses } from '#portal/features/alarms/alarm/alarmFilters.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { useAlarmActs } from '#portal/features/alarms/alarm/useAlarmActs.tsx'
import { useHasGuide } from '#portal/features/alarms/troubleshooting/useHasGuide.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { alarmCriticityLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge, StatusMark } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Machine.module.css'

const SilenceClues = lazyPart(() => import('./timeline/SilenceClues.tsx'))

/** The worst current problem of a machine, and its solution. Hidden when there is none. */
export function MachineBanner({ machine }: { machine: Machine }) {
  const merchant = useMerchant()
  const { data } = useQuery({
    ...queryOf(alarms.listMachineAlarms, {
      params: { merchantId: merchant.id, posId: machine.id },
      query: { statuses: [...openStatuses], criticities: [2, 4], ord: 'criticity', ordType: 'DESC', page: 1, size: 1 },
    }),
    enabled: machine.worstAlarm !== null,
  })
  const { worstAlarm: worst, state } = machine
  const alarm = data?.items[0]
  // While a machine is offline, a light alarm is not its problem.
  if (state === 'silent')
    return (
      <>
        <SilentBanner machine={machine} />
        {worst && alarm && <AlarmBanner machine={machine} worst={worst} alarm={alarm} />}
      </>
    )
  return worst && <AlarmBanner machine={machine} worst={worst} alarm={alarm} />
}

interface AlarmProps {
  machine: Machine
  /** Uses the machine's own fields, so that the banner shows at once. */
  worst: NonNullable<Machine['worstAlarm']>
  alarm: Alarm | undefined
}

function AlarmBanner({ machine, worst, alarm }: AlarmProps) {
  const { t } = useTranslation(['machine', 'alarm'])
  const format = useFormat()
  const nameOf = useAlarmName()
  const hasGuide = useHasGuide()
  const { mayChange, askRepair, dialog } = useAlarmActs()
  const { tone, mark } = alarmCriticityLooks[alarm?.criticity ?? (machine.posStatus === 3 ? 4 : 2)]
  const { code, since } = alarm ? { code: alarm.code, since: alarm.createdAt } : worst
  const others = machine.openAlarms - 1
  const place = {
    to: '/devices/$posId/pos-alarms',
    params: { posId: machine.id },
  }
  return (
    <section className={classes.banner} data-tone={tone} aria-label={t('machine:banner.name')}>
      <Badge tone={tone} mark={mark}>
        {code}
      </Badge>
      <Text flex="1 1 300px" miw={0} className={`${classes.said} breaks`}>
        <strong>{nameOf(code)}.</strong>{' '}
        {alarm?.sellsStill && (
          <>
            <Badge tone="ok" mark="dot">
              {t('alarm:sellsStill')}
            </Badge>{' '}
          </>
        )}
        <span className={classes.more}>
          {alarm?.message && alarm.message !== nameOf(code) && <>{alarm.message}. </>}
          {t('machine:banner.since')} <When at={since} as="minute" timeZone={machine.timeZone} />
          {alarm &&
            alarm.count > 1 &&
            `, ${t('machine:banner.times', { count: alarm.count, number: format.number(alarm.count) })}`}
          .
        </span>
      </Text>
      <Flex component="span" rowGap="near" columnGap="part" wrap="wrap" align="center" display="inline-flex" ml="auto">
        {hasGuide(code) && (
          <PlaceLink
            place={{ ...place, search: { alarm: alarm && alarmKey(alarm) } }}
            className={`${classes.bannerLink} inks`}
          >
            {t('alarm:guide.title')}
          </PlaceLink>
        )}
        <PlaceLink place={place} className={`${classes.bannerLink} inks`}>
          {others > 0
            ? t('machine:banner.others', { count: others, number: format.number(others) })
            : t('machine:banner.alarms')}
        </PlaceLink>
        {mayChange && (
          <Button variant="default" disabled={!alarm} onClick={() => alarm && askRepair([alarm])}>
            {t('machine:banner.repair')}
          </Button>
        )}
      </Flex>
      {dialog}
    </section>
  )
}

function SilentBanner({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine')
  const { lastSeenAt, timeZone } = machine
  return (
    <section className={classes.banner} data-tone="mute" aria-label={t('banner.silent')}>
      <StatusMark mark="ring" tone="mute" />
      <Text flex="1 1 300px" miw={0} className={`${classes.said} breaks`}>
        <strong>{t('banner.silent')}</strong>{' '}
        <span className={classes.more}>
          {lastSeenAt ? (
            <>
              {t('banner.lastSeen')} <When at={lastSeenAt} as="exact" timeZone={timeZone} />.{' '}
            </>
          ) : (
            `${t('banner.neverSeen')} `
          )}
          <Part failed={() => null}>
            <SilenceClues machine={machine} />
          </Part>{' '}
          {t('banner.silentText')}
        </span>
      </Text>
    </section>
  )
}
