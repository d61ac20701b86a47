import { Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type MachineRow, machineOrds } from '#contract/machines/machine.ts'
import { machineColumns } from '#contract/machines/machine-columns.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { RestartRowButton } from '#portal/features/commands/remote-command/CommandButtons.tsx'
import { Sparkline } from '#portal/ui/chart/Sparkline.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import classes from './MachineList.module.css'
import { cashPercentOf, typeNameOf } from './machineFacts.ts'
import { Warranty } from './Warranty.tsx'

const hidden = [
  ...['merchant', 'worstAlarm', 'vendsToday', 'posStatus', 'connection', 'openAlarms', 'lastSaleAt', 'lastAuditAt'],
  ...['firmwareVersion', 'address', 'sector', 'client', 'warrantyUntil', 'prepaidUntil', 'createdAt', 'updatedAt'],
]

/** The columns of machine lists. */
export const columns = recordColumns<MachineRow>(machineColumns, machineOrds, ({ t }: Say) => ({
  title: 'name',
  aside: 'salesToday',
  hidden,
  offCards: ['serial', 'cashInBox', 'salesByDay', 'lastSeenAt', 'acts'],
  looks: {
    state: { width: 124 },
    name: { cell: (machine) => <Name machine={machine} />, label: ({ name }) => name },
    merchant: { isForAll: false },
    worstAlarm: { card: 'line', cell: ({ worstAlarm }) => worstAlarm && <Alarm code={worstAlarm.code} /> },
    signalPercent: {
      align: undefined,
      cell: ({ signalPercent }) => <LevelBar percent={signalPercent ?? null} label={t('machine:column.signal')} />,
    },
    cashInBox: {
      align: undefined,
      cell: (machine) => (
        <LevelBar percent={cashPercentOf(machine)} isFullGood={false} label={t('machine:column.cashBox')} />
      ),
    },
    salesByDay: {
      align: undefined,
      number: undefined,
      unit: undefined,
      currencyOf: undefined,
      cell: ({ salesByDay, state }) => (
        <Sparkline
          values={salesByDay}
          color={state === 'selling' || state === 'warning' ? 'gold-fill' : 'ink-3'}
          label={t('machine:salesByDay')}
        />
      ),
    },
    acts: { width: 64, align: 'center', cell: (machine) => <RestartRowButton machine={machine} /> },
    warrantyUntil: { cell: ({ warrantyUntil, warranty }) => <Warranty until={warrantyUntil} state={warranty} /> },
    lastSeenAt: dimmed('lastSeenAt'),
    lastSaleAt: dimmed('lastSaleAt'),
    lastAuditAt: dimmed('lastAuditAt'),
    createdAt: dimmed('createdAt'),
    updatedAt: dimmed('updatedAt'),
  },
}))

function dimmed(field: 'lastSeenAt' | 'lastSaleAt' | 'lastAuditAt' | 'createdAt' | 'updatedAt') {
  return {
    cell: (machine: MachineRow) => (
      <Text span textWrap="nowrap" c="dimmed">
        <When at={machine[field]} timeZone={machine.timeZone} />
      </Text>
    ),
  }
}

const Alarm = ({ code }: { code: string }) => useAlarmName()(code)

/** A machine's name, with its model, group and, under all merchants, its merchant below. */
function Name({ machine: { name, deviceType, groupName, merchantName, hidden: isHidden } }: { machine: MachineRow }) {
  const { t } = useTranslation('machine-act')
  const { isAll } = useMerchant()
  return (
    <>
      <Text span display="block">
        {name}
        {isHidden && <IconEyeOff size={14} className={classes.hidden} role="img" aria-label={t('column.hidden')} />}
      </Text>
      <Text span display="block" c="dimmed" fz="sm" fw={400}>
        {[typeNameOf(deviceType), groupName, isAll && merchantName].filter(Boolean).join(' · ')}
      </Text>
    </>
  )
}
