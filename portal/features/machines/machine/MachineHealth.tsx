import { Box, Flex } from '@mantine/core'
import type { ReactNode } from 'react'
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
    <Box component="span" display="block" style={clipped}>
      <Flex component="span" rowGap={0} wrap="wrap" align="center" ml={-dotWidth}>
        {parts.map((part, index) => (
          // Parts of one sentence.
          <Box key={index} component="span" pos="relative" pl={dotWidth}>
            <Box component="span" pos="absolute" left={6} aria-hidden>
              ·
            </Box>
            {part}
          </Box>
        ))}
      </Flex>
    </Box>
  )
}

/* Each part begins with a dot; at the beginning of a line it lies outside of the box, and is cut. The outline of a focused part is not. */
const dotWidth = 16
const clipped = { overflow: 'clip', overflowClipMargin: 3 }
