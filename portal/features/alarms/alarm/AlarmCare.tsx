import { Button, Flex, Menu } from '@mantine/core'
import { IconCheck, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Alarm } from '#contract/alarms/alarm.ts'
import { alarmCare } from '#contract/alarms/alarm-care.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { AssignDialog } from './AssignDialog.tsx'
import { isOpen } from './alarmFilters.ts'
import { useIsAcknowledged } from './useIsAcknowledged.ts'

/** How long an alarm can be acknowledged, in hours. */
const hours = [1, 4, 8, 24, 72, 168] as const

const paramsOf = ({ merchantId, posId, id }: Alarm) => ({ merchantId, posId, alarmId: id })

/** Who has seen an alarm, who takes care of it, and how both change. */
export function AlarmCare({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation(['alarm', 'ui'])
  const mayChange = useMay(alarmCare.acknowledgeAlarm) && isOpen(alarm)
  const isAcked = useIsAcknowledged(alarm)
  const { acknowledgedBy, acknowledgedUntil, assigneeId, assigneeName, timeZone } = alarm
  if (!mayChange && !isAcked && !assigneeId) return null
  return (
    <DrawerPart name={t('alarm:care.title')}>
      <Facts
        facts={[
          {
            name: t('alarm:care.acknowledged'),
            value: isAcked ? (
              <>
                {acknowledgedBy ?? t('ui:provider')}, {t('alarm:care.until')}{' '}
                <When at={acknowledgedUntil} as="minute" timeZone={timeZone} />
              </>
            ) : null,
          },
          { name: t('alarm:care.assignee'), value: assigneeId ? (assigneeName ?? t('ui:provider')) : null },
        ]}
      />
      {mayChange && (
        <Flex gap="xs" wrap="wrap" mt="sm">
          <AcknowledgeButton alarm={alarm} isAcknowledged={isAcked} />
          <AssignButton alarm={alarm} />
        </Flex>
      )}
    </DrawerPart>
  )
}

function AcknowledgeButton({ alarm, isAcknowledged: isAcked }: { alarm: Alarm; isAcknowledged: boolean }) {
  const { t } = useTranslation('alarm')
  const format = useFormat()
  const save = useCommand(alarmCare.acknowledgeAlarm, {
    says: ({ acknowledgedAt }) => ({ key: `alarm:care.${acknowledgedAt ? 'done' : 'ended'}` }),
  })
  const acknowledge = (minutes: number | null) => save.mutate({ params: paramsOf(alarm), body: { minutes } })
  const lasting = (amount: number) =>
    amount < 24
      ? t('care.hours', { count: amount, number: format.number(amount) })
      : t('care.days', { count: amount / 24, number: format.number(amount / 24) })
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="default" loading={save.isPending} leftSection={<IconCheck size={15} aria-hidden />}>
          {t('care.acknowledge')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hours.map((amount) => (
          <Menu.Item key={amount} onClick={() => acknowledge(amount * 60)}>
            {lasting(amount)}
          </Menu.Item>
        ))}
        {isAcked && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => acknowledge(null)}>{t('care.end')}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function AssignButton({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarm')
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        leftSection={<IconUserPlus size={15} aria-hidden />}
        onClick={() => setShown(true)}
      >
        {t('care.assign')}
      </Button>
      {isShown && <AssignDialog alarm={alarm} close={() => setShown(false)} />}
    </>
  )
}
