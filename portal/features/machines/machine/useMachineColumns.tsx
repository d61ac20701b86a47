import { Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MachineRow } from '#contract/machines/machine.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { Sparkline } from '#portal/ui/chart/Sparkline.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { connectionLooks, machineStateLooks, posStatusLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './MachineList.module.css'
import { cashPercentOf, typeNameOf } from './machineFacts.ts'
import { Warranty } from './Warranty.tsx'

/** The columns of machine lists. */
export function useMachineColumns(): Column<MachineRow>[] {
  const { t } = useTranslation(['machine', 'machine-act', 'vocabulary'])
  const format = useFormat()
  const alarmName = useAlarmName()
  const { isAll } = useMerchant()
  return useMemo(
    (): Column<MachineRow>[] => [
      {
        id: 'state',
        name: t('machine:column.state'),
        sort: true,
        width: 124,
        card: 'badge',
        cell: ({ state }) => <StatusBadge of={machineStateLooks} value={state} />,
      },
      {
        id: 'name',
        name: t('machine:column.name'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: ({ name }) => name,
        cell: ({ name, deviceType, groupName, merchantName, hidden }) => (
          <>
            <Text span display="block">
              {name}
              {hidden && (
                <IconEyeOff
                  size={14}
                  className={classes.hidden}
                  role="img"
                  aria-label={t('machine-act:column.hidden')}
                />
              )}
            </Text>
            <Text span display="block" c="dimmed" fz="sm" fw={400}>
              {[typeNameOf(deviceType), groupName, isAll && merchantName].filter(Boolean).join(' · ')}
            </Text>
          </>
        ),
      },
      {
        id: 'merchant',
        name: t('machine:column.merchant'),
        isHidden: true,
        card: 'none',
        cell: ({ merchantName }) => merchantName,
      },
      {
        id: 'serial',
        name: t('machine:column.serial'),
        sort: true,
        card: 'none',
        cell: ({ serial }) => <CopyId value={serial} />,
      },
      {
        id: 'worstAlarm',
        name: t('machine:column.worstAlarm'),
        isHidden: true,
        card: 'line',
        cell: ({ worstAlarm }) => worstAlarm && alarmName(worstAlarm.code),
      },
      {
        id: 'signalPercent',
        name: t('machine:column.signal'),
        sort: true,
        number: ({ signalPercent }) => signalPercent,
        unit: 'percent',
        cell: ({ signalPercent }) => <LevelBar percent={signalPercent ?? null} label={t('machine:column.signal')} />,
      },
      {
        id: 'cashInBox',
        name: t('machine:column.cashBox'),
        sort: true,
        card: 'none',
        number: ({ cashInBox }) => cashInBox,
        unit: 'money',
        currencyOf,
        cell: (machine) => (
          <LevelBar percent={cashPercentOf(machine)} isFullGood={false} label={t('machine:column.cashBox')} />
        ),
      },
      {
        id: 'salesByDay',
        name: t('machine:column.salesByDay'),
        card: 'none',
        cell: ({ salesByDay, state }) => (
          <Sparkline
            values={salesByDay}
            color={state === 'selling' || state === 'warning' ? 'gold-fill' : 'ink-3'}
            label={t('machine:salesByDay')}
          />
        ),
      },
      {
        id: 'salesToday',
        name: t('machine:column.today'),
        align: 'end',
        card: 'aside',
        number: ({ salesToday }) => salesToday,
        unit: 'money',
        currencyOf,
        cell: ({ salesToday, currency }) => <Amount minor={salesToday} currency={currency} />,
      },
      {
        id: 'vendsToday',
        name: t('machine:column.vendsToday'),
        align: 'end',
        isHidden: true,
        card: 'none',
        number: ({ vendsToday }) => vendsToday,
        cell: ({ vendsToday }) => format.number(vendsToday),
      },
      {
        id: 'lastSeenAt',
        name: t('machine:column.lastSeen'),
        sort: true,
        align: 'end',
        card: 'none',
        cell: ({ lastSeenAt, timeZone }) => <Dim at={lastSeenAt} timeZone={timeZone} />,
      },
      {
        id: 'posStatus',
        name: t('machine:column.posStatus'),
        sort: true,
        isHidden: true,
        card: 'none',
        cell: ({ posStatus }) => <StatusBadge of={posStatusLooks} value={posStatus} />,
      },
      {
        id: 'connection',
        name: t('machine:column.connection'),
        isHidden: true,
        card: 'none',
        cell: ({ connection }) => <StatusBadge of={connectionLooks} value={connection} />,
      },
      {
        id: 'openAlarms',
        name: t('machine:column.openAlarms'),
        align: 'end',
        isHidden: true,
        card: 'none',
        number: ({ openAlarms }) => openAlarms,
        cell: ({ openAlarms }) => format.number(openAlarms),
      },
      {
        id: 'lastSaleAt',
        name: t('machine:column.lastSale'),
        sort: true,
        align: 'end',
        isHidden: true,
        card: 'none',
        cell: ({ lastSaleAt, timeZone }) => <Dim at={lastSaleAt} timeZone={timeZone} />,
      },
      {
        id: 'lastAuditAt',
        name: t('machine:column.lastAudit'),
        sort: true,
        align: 'end',
        isHidden: true,
        card: 'none',
        cell: ({ lastAuditAt, timeZone }) => <Dim at={lastAuditAt} timeZone={timeZone} />,
      },
      {
        id: 'firmwareVersion',
        name: t('machine:column.firmware'),
        sort: true,
        isHidden: true,
        card: 'none',
        cell: ({ firmwareVersion }) => firmwareVersion,
      },
      {
        id: 'address',
        name: t('machine:column.address'),
        isHidden: true,
        card: 'none',
        cell: ({ address }) => address,
      },
      {
        id: 'sector',
        name: t('machine:fact.sector'),
        isHidden: true,
        card: 'none',
        cell: ({ sector }) => sector && t(`vocabulary:posSector.${sector}`),
      },
      {
        id: 'client',
        name: t('machine-act:column.client'),
        sort: 'clientName',
        isHidden: true,
        card: 'none',
        cell: ({ clientName }) => clientName,
      },
      {
        id: 'warrantyUntil',
        name: t('machine-act:column.warranty'),
        sort: true,
        isHidden: true,
        card: 'none',
        cell: ({ warrantyUntil, warranty }) => <Warranty until={warrantyUntil} state={warranty} />,
      },
      {
        id: 'prepaidUntil',
        name: t('machine:fact.prepaidUntil'),
        isHidden: true,
        card: 'none',
        cell: ({ prepaidUntil }) => prepaidUntil && format.day(prepaidUntil),
      },
      {
        id: 'createdAt',
        name: t('machine-act:column.createdAt'),
        sort: true,
        align: 'end',
        isHidden: true,
        card: 'none',
        cell: ({ createdAt, timeZone }) => <Dim at={createdAt} timeZone={timeZone} />,
      },
      {
        id: 'updatedAt',
        name: t('machine-act:column.updatedAt'),
        sort: true,
        align: 'end',
        isHidden: true,
        card: 'none',
        cell: ({ updatedAt, timeZone }) => <Dim at={updatedAt} timeZone={timeZone} />,
      },
    ],
    [t, format, alarmName, isAll],
  )
}

const currencyOf = ({ currency }: MachineRow) => currency

const Dim = ({ at, timeZone }: { at: string | null; timeZone: string }) => (
  <Text span textWrap="nowrap" c="dimmed">
    <When at={at} timeZone={timeZone} />
  </Text>
)
