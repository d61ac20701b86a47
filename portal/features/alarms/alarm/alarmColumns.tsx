import { Flex, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Alarm, alarmColumns, alarmOrds } from '#contract/alarms/alarm.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './AlarmList.module.css'
import { isByHand, isOpen } from './alarmFilters.ts'
import { useIsAcknowledged } from './useIsAcknowledged.ts'

export const machinePlace = ({ posId }: { posId: string }) => ({
  to: '/devices/$posId',
  params: { posId },
})

interface AlarmColumnOptions {
  isOfMachine: boolean
  showsRepaired: boolean
  /** The name of a code. */
  nameOf: (code: string) => string
  /** Whether an alarm has a troubleshooting text that its merchant may read. */
  hasGuide: (alarm: Alarm) => boolean
  open: (alarm: Alarm) => void
}

const ofRepairs = ['repairedAt', 'repairedBy']

/** Columns of the alarms; the machine's own page leaves the machine out. */
export const columnsOf = ({ isOfMachine, showsRepaired, nameOf, hasGuide, open }: AlarmColumnOptions) =>
  recordColumns<Alarm>(alarmColumns, alarmOrds, ({ t, format }: Say) => ({
    title: 'code',
    aside: 'createdAt',
    lines: ['posName', ...(showsRepaired ? ['status'] : [])],
    hidden: [
      ...['merchant', 'source', 'deviceType', 'detail', 'group', 'count', 'mcbf', 'remainingCycles'],
      ...['acknowledgedUntil', 'assignee'],
      ...(showsRepaired ? [] : ofRepairs),
    ],
    offCards: ['category', 'status', 'lastAt', ...ofRepairs],
    without: isOfMachine ? ['posName', 'merchant'] : [],
    looks: {
      code: {
        label: ({ code }) => nameOf(code),
        cell: (alarm) => <Name alarm={alarm} {...{ nameOf, hasGuide, open }} />,
      },
      posName: { isFixed: true, cell: (alarm) => <Machine alarm={alarm} /> },
      detail: { width: 320, cell: ({ message, detail }) => [message, detail].filter(Boolean).join(' · ') },
      lastAt: {
        cell: ({ count, lastAt, timeZone }) =>
          count > 1 && (
            <Flex component="span" gap="snug" align="baseline" display="inline-flex" className="one-line">
              <Text span c="dimmed" fz="fine">
                {t('alarm:times', { number: format.number(count) })}
              </Text>
              <When at={lastAt} timeZone={timeZone} />
            </Flex>
          ),
      },
      assignee: { cell: ({ assigneeId, assigneeName }) => assigneeId && (assigneeName ?? t('ui:provider')) },
      repairedBy: { cell: (alarm) => alarm.repairedBy ?? (isByHand(alarm) && t('ui:provider')) },
      remainingCycles: { cell: ({ remainingCycles: left }) => typeof left === 'number' && format.number(left) },
      mcbf: {
        cell: ({ mcbf }) =>
          typeof mcbf === 'number' && <span title={t('alarm:fact.mcbfHint')}>{format.number(mcbf)}</span>,
      },
    },
  }))

/** An alarm's name, with its code, its source and, while it is open, its troubleshooting guide below. */
function Name({
  alarm,
  nameOf,
  hasGuide,
  open,
}: { alarm: Alarm } & Pick<AlarmColumnOptions, 'nameOf' | 'hasGuide' | 'open'>) {
  const { t } = useTranslation(['alarm', 'vocabulary'])
  return (
    <span className={classes.name}>
      <span>{nameOf(alarm.code)}</span>
      <Text span c="dimmed" fz="fine" fw={400} lh="fine">
        <Text span ff="monospace" fz="xs">
          {alarm.code}
        </Text>{' '}
        · {t(`vocabulary:alarmSource.${alarm.source}`)}
        {alarm.sellsStill && ` · ${t('alarm:sellsStill')}`}
        {isOpen(alarm) && <Care alarm={alarm} />}
        {isOpen(alarm) && hasGuide(alarm) && (
          <>
            {' · '}
            <button type="button" className={`${classes.guide} inks`} onClick={() => open(alarm)}>
              {t('alarm:guide.title')}
            </button>
          </>
        )}
      </Text>
    </span>
  )
}

/** Who takes care of an alarm, or who has seen it. */
function Care({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation(['alarm', 'ui'])
  const isAcknowledged = useIsAcknowledged(alarm)
  const { assigneeId, assigneeName } = alarm
  if (assigneeId) return ` · ${t('alarm:care.assignee')} ${assigneeName ?? t('ui:provider')}`
  return isAcknowledged ? ` · ${t('alarm:acked')}` : null
}

/** A link to an alarm's machine, with its group and, under all merchants, its merchant below. */
function Machine({ alarm }: { alarm: Alarm }) {
  const { isAll } = useMerchant()
  return (
    <span className={`${classes.name} ${classes.parts}`}>
      <PlaceLink place={machinePlace(alarm)} className={`${classes.place} quiet`}>
        {alarm.posName}
      </PlaceLink>
      <Text span c="dimmed" fz="fine" fw={400} lh="fine">
        {[isAll && alarm.merchantName, alarm.groupName].filter(Boolean).join(' · ')}
      </Text>
    </span>
  )
}
