import { Flex, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Alarm } from '#contract/alarms/alarm.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { useFeatureOf } from '#portal/app/feature.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { alarmCriticityLooks, alarmStatusLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { useHasGuide } from '../troubleshooting/useHasGuide.ts'
import classes from './AlarmList.module.css'
import { isByHand, isOpen } from './alarmFilters.ts'
import { useAlarmName } from './alarmName.ts'

export const machinePlace = ({ posId }: { posId: string }) => ({
  to: '/devices/$posId',
  params: { posId },
})

interface Shown {
  isOfMachine: boolean
  showsRepaired: boolean
  open: (alarm: Alarm) => void
}

/** Columns of the alarms; the machine's own page leaves the machine out. */
export function useAlarmColumns({ isOfMachine, showsRepaired, open }: Shown) {
  const { t } = useTranslation(['alarm', 'vocabulary'])
  const format = useFormat()
  const nameOf = useAlarmName()
  const hasGuide = useHasGuide()
  const mayBeGuided = useFeatureOf('advancedAlarms')
  const { isAll } = useMerchant()
  return useMemo((): Column<Alarm>[] => {
    const sourceOf = (alarm: Alarm) => t(`vocabulary:alarmSource.${alarm.source}`)
    const machine: Column<Alarm>[] = [
      {
        id: 'posName',
        name: t('alarm:column.machine'),
        sort: true,
        isFixed: true,
        card: 'line',
        cell: (alarm) => (
          <span className={`${classes.name} ${classes.parts}`}>
            <PlaceLink place={machinePlace(alarm)} className={classes.place}>
              {alarm.posName}
            </PlaceLink>
            <Text span c="dimmed" fz="fine" fw={400} lh="fine">
              {[isAll && alarm.merchantName, alarm.groupName].filter(Boolean).join(' · ')}
            </Text>
          </span>
        ),
      },
      {
        id: 'merchant',
        name: t('alarm:column.merchant'),
        isForAll: true,
        isHidden: true,
        card: 'none',
        cell: (alarm) => alarm.merchantName,
      },
    ]
    return [
      {
        id: 'criticity',
        name: t('alarm:column.criticity'),
        sort: true,
        card: 'badge',
        cell: (alarm) => <StatusBadge of={alarmCriticityLooks} value={alarm.criticity} />,
      },
      {
        id: 'code',
        name: t('alarm:column.alarm'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: (alarm) => nameOf(alarm.code),
        cell: (alarm) => (
          <span className={classes.name}>
            <span>{nameOf(alarm.code)}</span>
            <Text span c="dimmed" fz="fine" fw={400} lh="fine">
              <Text span ff="monospace" fz="xs">
                {alarm.code}
              </Text>{' '}
              · {sourceOf(alarm)}
              {isOpen(alarm) && mayBeGuided(alarm.merchantId) && hasGuide(alarm.code) && (
                <>
                  {' · '}
                  <button type="button" className={classes.guide} onClick={() => open(alarm)}>
                    {t('alarm:guide.title')}
                  </button>
                </>
              )}
            </Text>
          </span>
        ),
      },
      ...(isOfMachine ? [] : machine),
      {
        id: 'category',
        name: t('alarm:column.category'),
        card: 'none',
        cell: (alarm) => t(`vocabulary:alarmCategory.${alarm.category}`),
      },
      { id: 'source', name: t('alarm:column.source'), isHidden: true, card: 'none', cell: sourceOf },
      {
        id: 'deviceType',
        name: t('alarm:fact.model'),
        isHidden: true,
        card: 'none',
        cell: ({ deviceType }) => (deviceTypeNames as Record<string, string>)[deviceType] ?? deviceType,
      },
      {
        id: 'detail',
        name: t('alarm:column.detail'),
        isHidden: true,
        card: 'none',
        width: 320,
        cell: ({ message, detail }) => [message, detail].filter(Boolean).join(' · '),
      },
      { id: 'group', name: t('alarm:column.group'), isHidden: true, card: 'none', cell: (alarm) => alarm.groupName },
      {
        id: 'status',
        name: t('alarm:column.status'),
        sort: true,
        card: showsRepaired ? 'line' : 'none',
        cell: (alarm) => <StatusBadge of={alarmStatusLooks} value={alarm.status} />,
      },
      {
        id: 'createdAt',
        name: t('alarm:column.since'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: (alarm) => <When at={alarm.createdAt} timeZone={alarm.timeZone} />,
      },
      {
        id: 'lastAt',
        name: t('alarm:column.last'),
        sort: true,
        align: 'end',
        card: 'none',
        cell: (alarm) =>
          alarm.count > 1 ? (
            <Flex component="span" gap="snug" align="baseline" display="inline-flex" className="one-line">
              <Text span c="dimmed" fz="fine">
                {t('alarm:times', { number: format.number(alarm.count) })}
              </Text>
              <When at={alarm.lastAt} timeZone={alarm.timeZone} />
            </Flex>
          ) : null,
      },
      {
        id: 'count',
        name: t('alarm:column.count'),
        isHidden: true,
        align: 'end',
        card: 'none',
        number: ({ count }) => count,
        cell: ({ count }) => format.number(count),
      },
      {
        id: 'repairedAt',
        name: t('alarm:column.repaired'),
        sort: true,
        isHidden: !showsRepaired,
        align: 'end',
        card: 'none',
        cell: (alarm) => <When at={alarm.repairedAt} timeZone={alarm.timeZone} />,
      },
      {
        id: 'repairedBy',
        name: t('alarm:fact.repairedBy'),
        isHidden: !showsRepaired,
        card: 'none',
        cell: (alarm) => alarm.repairedBy ?? (isByHand(alarm) && t('ui:provider')),
      },
      {
        id: 'mcbf',
        name: t('alarm:fact.mcbf'),
        isHidden: true,
        align: 'end',
        card: 'none',
        number: ({ mcbf }) => mcbf,
        cell: ({ mcbf }) =>
          typeof mcbf === 'number' && <span title={t('alarm:fact.mcbfHint')}>{format.number(mcbf)}</span>,
      },
      {
        id: 'remainingCycles',
        name: t('alarm:fact.remaining'),
        isHidden: true,
        align: 'end',
        card: 'none',
        number: ({ remainingCycles }) => remainingCycles,
        cell: ({ remainingCycles }) => typeof remainingCycles === 'number' && format.number(remainingCycles),
      },
    ]
  }, [t, format, nameOf, hasGuide, mayBeGuided, isAll, isOfMachine, showsRepaired, open])
}
