import { Box, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AlarmDetails, alarms } from '#contract/alarms/alarm.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeatureOf } from '#portal/app/feature.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import { AlarmCare } from '#portal/features/alarms/alarm/AlarmCare.tsx'
import { AlarmComments } from '#portal/features/alarms/alarm/AlarmComments.tsx'
import classes from '#portal/features/alarms/alarm/AlarmList.module.css'
import { machinePlace } from '#portal/features/alarms/alarm/alarmColumns.tsx'
import { isByHand, isOpen, readAlarmKey } from '#portal/features/alarms/alarm/alarmFilters.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { LastRemedy } from '#portal/features/alarms/alarm/LastRemedy.tsx'
import { useAlarmActs } from '#portal/features/alarms/alarm/useAlarmActs.tsx'
import { useIsAcknowledged } from '#portal/features/alarms/alarm/useIsAcknowledged.ts'
import { CommandButtons } from '#portal/features/commands/remote-command/CommandButtons.tsx'
import { LastEvents } from '#portal/features/machines/machine/timeline/MachineTimeline.tsx'
import { useMachine } from '#portal/features/machines/machine/useMachine.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { useOpenedPanel } from '#portal/ui/panel/PanelContext.ts'
import { PanelFrame } from '#portal/ui/panel/PanelFrame.tsx'
import { panelAnswer } from '#portal/ui/panel/panelAnswer.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { type Fact, Facts } from '#portal/ui/value/Facts.tsx'
import { alarmCriticityLooks, alarmStatusLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'

const RepairGuide = lazyPart(() => import('#portal/features/alarms/troubleshooting/RepairGuide.tsx'))

/** One alarm in full, with its actions. `id`: its machine's id and its own. */
export default function AlarmPanel({ id }: { id: string }) {
  const nameOf = useAlarmName()
  const { close } = useOpenedPanel()
  const acts = useAlarmActs()
  const { posId = '', alarmId = '' } = readAlarmKey(id) ?? {}
  const answer = useQuery({
    ...queryOf(alarms.getAlarm, { params: { merchantId: allMerchants, posId, alarmId } }),
    enabled: alarmId !== acts.goneId,
  })
  const { record: alarm, failure } = panelAnswer(answer)
  const { data: machine } = useMachine(posId)
  return (
    <RecordMerchant id={alarm?.merchantId}>
      <PanelFrame
        title={alarm && nameOf(alarm.code)}
        badges={alarm && <AlarmBadges alarm={alarm} />}
        {...failure}
        actions={alarm && <Actions alarm={alarm} machine={machine} acts={acts} close={close} />}
      >
        {alarm && <AlarmFacts alarm={alarm} machine={machine} />}
      </PanelFrame>
      {acts.dialog}
    </RecordMerchant>
  )
}

interface ActionsProps {
  alarm: AlarmDetails
  machine: Machine | undefined
  acts: ReturnType<typeof useAlarmActs>
  close: () => void
}

/** Repair and delete the alarm, and commands for its machine while it is open. */
function Actions({ alarm, machine, acts, close }: ActionsProps) {
  const { t } = useTranslation('alarm')
  return (
    <>
      {acts.mayChange && isOpen(alarm) && <Button onClick={() => acts.askRepair([alarm])}>{t('repair.do')}</Button>}
      {machine && isOpen(alarm) && <CommandButtons machine={machine} isQuiet />}
      {acts.mayChange && (
        <Button variant="subtle" color="crit" onClick={() => acts.askDelete(alarm, close)}>
          {t('delete.do')}
        </Button>
      )}
    </>
  )
}

function AlarmBadges({ alarm }: { alarm: AlarmDetails }) {
  const { t } = useTranslation(['alarm', 'vocabulary'])
  const isAcknowledged = useIsAcknowledged(alarm)
  return (
    <>
      <StatusBadge of={alarmCriticityLooks} value={alarm.criticity} />
      {alarm.sellsStill && (
        <Badge tone="ok" mark="dot">
          {t('alarm:sellsStill')}
        </Badge>
      )}
      {isAcknowledged && (
        <Badge tone="info" mark="check">
          {t('alarm:acked')}
        </Badge>
      )}
      {alarm.status !== 'notification' && <StatusBadge of={alarmStatusLooks} value={alarm.status} />}
      <Badge tone="mute">{t(`vocabulary:alarmCategory.${alarm.category}`)}</Badge>
    </>
  )
}

const reported = (facts: readonly Fact[]) =>
  facts.filter(({ value }) => value !== null && value !== undefined && value !== false)

/** When the fault was there, for an alarm that came back. */
const Times = ({ times, timeZone }: Pick<AlarmDetails, 'times' | 'timeZone'>) => (
  <ul>
    {times.map(({ from, to }) => (
      <li key={from}>
        <When at={from} as="exact" timeZone={timeZone} /> – {to && <When at={to} as="exact" timeZone={timeZone} />}
      </li>
    ))}
  </ul>
)

function AlarmFacts({ alarm, machine }: { alarm: AlarmDetails; machine: Machine | undefined }) {
  const { t } = useTranslation(['alarm', 'machine', 'vocabulary'])
  const format = useFormat()
  const nameOf = useAlarmName()
  const { timeZone } = alarm
  const model = (deviceTypeNames as Record<string, string>)[alarm.deviceType] ?? alarm.deviceType
  const cycles = (count: number | null | undefined) => (typeof count === 'number' ? format.number(count) : null)
  const hasGuides = useFeatureOf('advancedAlarms')(alarm.merchantId)
  return (
    <>
      <Text c="dimmed">
        <PlaceLink place={machinePlace(alarm)}>{alarm.posName}</PlaceLink> · {model} ·{' '}
        <When at={alarm.createdAt} timeZone={timeZone} />
      </Text>
      <AlarmCare alarm={alarm} />
      <LastRemedy alarm={alarm} />
      <DrawerPart name={t('alarm:part.what')}>
        {alarm.message && !nameOf(alarm.code).includes(alarm.message) && (
          <p className={classes.text}>{alarm.message}</p>
        )}
        {alarm.detail && <p className={classes.text}>{alarm.detail}</p>}
        <Facts
          facts={reported([
            { name: t('alarm:fact.code'), value: <CopyId value={alarm.code} /> },
            { name: t('alarm:column.source'), value: t(`vocabulary:alarmSource.${alarm.source}`) },
            {
              name: t('alarm:fact.mcbf'),
              value: typeof alarm.mcbf === 'number' && (
                <span title={t('alarm:fact.mcbfHint')}>{cycles(alarm.mcbf)}</span>
              ),
            },
            { name: t('alarm:fact.remaining'), value: cycles(alarm.remainingCycles) },
          ])}
        />
      </DrawerPart>
      {hasGuides && (
        <Part>
          <RepairGuide code={alarm.code} />
        </Part>
      )}
      <AlarmComments alarm={alarm} />
      {machine && (
        <DrawerPart name={t('alarm:events')} note={timeZone}>
          <LastEvents machine={machine} />
        </DrawerPart>
      )}
      <DrawerPart name={t('alarm:part.when')} note={timeZone}>
        <Facts
          facts={reported([
            { name: t('alarm:fact.created'), value: <When at={alarm.createdAt} as="exact" timeZone={timeZone} /> },
            { name: t('alarm:fact.count'), value: format.number(alarm.count) },
            {
              name: t('alarm:fact.last'),
              value: alarm.count > 1 ? <When at={alarm.lastAt} as="exact" timeZone={timeZone} /> : null,
            },
            {
              name: t('alarm:fact.repaired'),
              value: alarm.repairedAt && <When at={alarm.repairedAt} as="exact" timeZone={timeZone} />,
            },
            {
              name: t('alarm:fact.repairedBy'),
              value: alarm.repairedBy ?? (isByHand(alarm) ? t('ui:provider') : null),
            },
            { name: t('alarm:fact.note'), value: alarm.repairNote },
          ])}
        />
        {alarm.times.length > 1 && (
          <Box mt="sm">
            <Text span c="dimmed" fz="fine" fw={400} lh="fine">
              {t('alarm:fact.times')}
            </Text>
            <Times times={alarm.times} timeZone={timeZone} />
          </Box>
        )}
      </DrawerPart>
      <DrawerPart name={t('alarm:part.where')}>
        <Facts
          facts={reported([
            {
              name: t('alarm:column.machine'),
              value: (
                <PlaceLink place={machinePlace(alarm)} className={`${classes.place} quiet`}>
                  {alarm.posName}
                </PlaceLink>
              ),
            },
            {
              name: t('machine:fact.lastSaleAt'),
              value: machine?.lastSaleAt && <When at={machine.lastSaleAt} timeZone={timeZone} />,
            },
            { name: t('alarm:fact.serial'), value: <CopyId value={alarm.posSerial} /> },
            { name: t('alarm:fact.model'), value: model },
            { name: t('alarm:column.group'), value: alarm.groupName },
            { name: t('alarm:column.merchant'), value: alarm.merchantName },
          ])}
        />
      </DrawerPart>
    </>
  )
}
