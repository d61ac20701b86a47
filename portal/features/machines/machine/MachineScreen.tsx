import { Box, Button, Flex, Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { connections } from '#contract/vocabulary/device.ts'

import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchants } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { AuditNowButton } from '#portal/features/audits/audit/AuditNowButton.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { useNow, When } from '#portal/ui/time/When.tsx'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { machineStateLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { placeOfSending } from '../../commands/remote-command/placeOfSending.ts'
import { writeLasting } from './lasting.ts'
import classes from './Machine.module.css'
import { MachineBanner } from './MachineBanner.tsx'
import { typeNameOf } from './machineFacts.ts'
import { type MachinePage, machineTabs } from './machineTabs.ts'
import { ReassociationBanner } from './ReassociationBanner.tsx'
import { useMachine } from './useMachine.ts'

const CommandSheet = lazyPart(
  () => import('#portal/features/commands/remote-command/CommandSheet.tsx'),
  ['remote-command', 'errors'],
)
const MachineMenu = lazyPart(() => import('./acts/MachineMenu.tsx'))

/** The reserved space of a button that loads later. */
const menuSize = 36

/** A machine: its health in one line, its worst problem, and its tabs. */
export default function MachineScreen() {
  const { t } = useTranslation(['machine', 'machine-act', 'shell'])
  const format = useFormat()
  const { me } = useSession()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const answer = useMachine(posId)
  const machine = answer.data
  const owner = useMerchants().find(({ id }) => id === machine?.merchantId)
  const isOffered = ({ needs, feature }: MachinePage) =>
    (!needs || (me && roleMay(me.role, needs))) && (!feature || owner?.features.includes(feature))
  const tabs = machineTabs.flatMap(({ group, pages }) => {
    const offered = pages
      .filter(isOffered)
      .map(({ to, name }) => ({ to: to as string, name: t(`shell:screens.${name}`) }))
    const [first] = offered
    const isCounted = group === 'alarms' && machine && machine.openAlarms > 0
    const count = isCounted ? format.number(machine.openAlarms) : undefined
    if (!first) return []
    // If only one of several pages is offered, the tab has that page's name.
    const isAlone = offered.length === 1 && pages.length > 1
    return [{ to: first.to, name: isAlone ? first.name : t(`machine:tabGroup.${group}`), count, pages: offered }]
  })
  return (
    <DetailScreen
      query={answer}
      merchantId={machine?.merchantId}
      title={machine?.name}
      aside={machine && <StateSince machine={machine} />}
      subtitle={machine && <Health machine={machine} />}
      actions={
        machine && (
          <>
            {owner?.features.includes('productStock') && <VisitButton machine={machine} />}
            {me && roleMay(me.role, 'remoteCommand.write') && (
              <>
                <AuditNowButton posId={posId} />
                <SendButton machine={machine} />
              </>
            )}
            <Part fallback={<Box w={menuSize} h={menuSize} />}>
              <MachineMenu machine={machine} />
            </Part>
          </>
        )
      }
      banner={
        machine && (
          <>
            {machine.hidden && <HiddenBanner />}
            <ReassociationBanner machine={machine} />
            <MachineBanner machine={machine} />
          </>
        )
      }
      gone={t('machine-act:code.text')}
      tabs={tabs}
    />
  )
}

/** What a technician in front of the machine does. */
function VisitButton({ machine }: { machine: Machine }) {
  const { t } = useTranslation('shell')
  return (
    <Button<typeof PlaceLink>
      component={PlaceLink}
      variant="default"
      place={{ to: '/devices/$posId/visit', params: { posId: machine.id } }}
    >
      {t('screens.visit')}
    </Button>
  )
}

/** To the wizard; on a phone to the usual commands. */
function SendButton({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine')
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  if (!isPhone)
    return (
      <Button<typeof PlaceLink> component={PlaceLink} place={placeOfSending([machine])}>
        {t('sendCommand')}
      </Button>
    )
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('sendCommand')}
      </Button>
      {isOpen && (
        <Part failed={(again) => <PartFailure again={again} close={() => setOpen(false)} />}>
          <CommandSheet machine={machine} close={() => setOpen(false)} />
        </Part>
      )}
    </>
  )
}

function HiddenBanner() {
  const { t } = useTranslation('machine-act')
  return (
    <section className={classes.banner} data-tone="mute" aria-label={t('column.hidden')}>
      <IconEyeOff size={18} aria-hidden />
      <Text flex="1 1 300px" miw={0} className={`${classes.said} breaks`}>
        {t('hidden.banner')}
      </Text>
    </section>
  )
}

/** Its state, and the time since it changed. */
function StateSince({ machine }: { machine: Machine }) {
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
function Health({ machine }: { machine: Machine }) {
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
