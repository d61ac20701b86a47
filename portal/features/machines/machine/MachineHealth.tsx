import { Flex } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Machine } from '#contract/machines/machine.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useNow, When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { machineStateLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { writeLasting } from './lasting.ts'
import { typeNameOf } from './machineFacts.ts'

/** Its state, and the time since it changed. */
export function StateSince({ machine }: { machine: Machine }) {
  const { state, worstAlarm, lastSeenAt } = machine
  const format = useFormat()
  const now = useNow()
  const began = instantOf(state === 'silent' ? lastSeenAt : state === 'selling' ? null : worstAlarm?.since)
  return (
    <StatusBadge
      of={machineStateLooks}
      value={state}
      detail={began && writeLasting(began, now < began ? new Date() : now, format.language)}
    />
  )
}

/** The main facts of a machine, in one line. */
export function Health({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['machine', 'vocabulary'])
  const format = useFormat()
  const { deviceType, serial, firmwareVersion, connection, signalPercent, lastAuditAt, timeZone } = machine
  const signal = typeof signalPercent === 'number' ? format.percent(signalPercent / 100) : undefined
  const online = connection === connections.online
  const parts: ReactNode[] = [
    typeNameOf(deviceType),
    <CopyId key="serial" value={serial} />,
    firmwareVersion && t('machine:health.firmware', { version: firmwareVersion }),
    online
      ? signal
        ? t('machine:health.onlineSignal', { signal })
        : t('machine:health.online')
      : t(connection === connections.offline ? 'machine:health.offline' : 'machine:health.unknown'),
    lastAuditAt ? (
      <span key="audited">
        {t('machine:health.audited')} <When at={lastAuditAt} as="minute" timeZone={timeZone} />
      </span>
    ) : (
      t('machine:health.neverAudited')
    ),
  ].filter(Boolean)
  return (
    <Flex component="span" rowGap={0} columnGap={7} wrap="wrap" align="center" display="inline-flex">
      {parts.map((part, index) => (
        // Parts of one sentence.
        <Fragment key={index}>
          {index > 0 && <span aria-hidden>·</span>}
          <span>{part}</span>
        </Fragment>
      ))}
    </Flex>
  )
}
