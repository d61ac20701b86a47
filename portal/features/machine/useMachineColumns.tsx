import { IconEyeOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MachineRow } from '#contract/machine.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { CopyId } from '../../ui/CopyId.tsx'
import { LevelBar } from '../../ui/LevelBar.tsx'
import type { Column } from '../../ui/list/types.ts'
import { connectionLooks, machineStateLooks } from '../../ui/looks.ts'
import { Sparkline } from '../../ui/Sparkline.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'
import { useAlarmName } from '../alarm/alarmName.ts'
import classes from './MachineList.module.css'
import { cashPercentOf, typeNameOf } from './machineFacts.ts'
import { Warranty } from './Warranty.tsx'

/** What a list of machines tells of each. */
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
            <span className={classes.name}>
              {name}
              {hidden && (
                <IconEyeOff
                  size={14}
                  className={classes.hidden}
                  role="img"
                  aria-label={t('machine-act:column.hidden')}
                />
              )}
            </span>
            <span className={classes.kind}>
              {[typeNameOf(deviceType), groupName, isAll && merchantName].filter(Boolean).join(' · ')}
            </span>
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
        feature: 'network',
        name: t('machine:column.signal'),
        sort: true,
        number: ({ signalPercent }) => signalPercent,
        unit: 'percent',
        cell: ({ signalPercent }) => <LevelBar percent={signalPercent} label={t('machine:column.signal')} />,
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
  <span className={classes.dim}>
    <When at={at} timeZone={timeZone} />
  </span>
)
