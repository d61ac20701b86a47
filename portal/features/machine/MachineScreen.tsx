import { Button } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Permission, roleMay } from '#contract/access.ts'
import { type Machine, machines } from '#contract/machine.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import { queryOf } from '../../app/api.ts'
import { useFeatureOf } from '../../app/feature.ts'
import { instantOf, useFormat } from '../../app/i18n/format.ts'
import { useMerchant, useMerchants } from '../../app/merchant.tsx'
import { useSession } from '../../app/session/useSession.ts'
import { CopyId } from '../../ui/CopyId.tsx'
import { DetailScreen } from '../../ui/DetailScreen.tsx'
import { lazyPart, Part } from '../../ui/lazyPart.tsx'
import { machineStateLooks } from '../../ui/looks.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useNow, When } from '../../ui/When.tsx'
import { AuditNowButton } from '../audit/AuditNowButton.tsx'
import { writeLasting } from './lasting.ts'
import classes from './Machine.module.css'
import { MachineBanner } from './MachineBanner.tsx'
import { typeNameOf } from './machineFacts.ts'
import { placeOfSending } from './places.ts'

const MachineMenu = lazyPart(() => import('./acts/MachineMenu.tsx'))

const tabs = [
  { to: '/devices/$posId', name: 'overview' },
  { to: '/devices/$posId/transactions', name: 'transactions' },
  { to: '/devices/$posId/pos-alarms', name: 'alarms' },
  { to: '/devices/$posId/audits', name: 'audits' },
  { to: '/devices/$posId/pos-sensordirtyness', name: 'sensors', needs: 'sensor.read' },
  { to: '/devices/$posId/remote-commands', name: 'commands' },
  { to: '/devices/$posId/kpis', name: 'kpis' },
  { to: '/devices/$posId/signal', name: 'signal', feature: 'network' },
  { to: '/devices/$posId/temperature', name: 'temperature' },
  { to: '/devices/$posId/stock', name: 'stock', feature: 'productStock' },
  { to: '/devices/$posId/prices', name: 'prices' },
  { to: '/devices/$posId/configs', name: 'configs', feature: 'remoteConfigurations' },
  { to: '/devices/$posId/custom-config', name: 'customConfig', feature: 'remoteConfigurations' },
  { to: '/devices/$posId/details', name: 'details' },
  { to: '/devices/$posId/notes', name: 'notes' },
] as const satisfies readonly { to: string; name: string; needs?: Permission; feature?: Feature }[]

/** A machine: its health in one line, what is wrong with it, and its tabs. */
export default function MachineScreen() {
  const { t } = useTranslation(['machine', 'machine-act', 'shell'])
  const format = useFormat()
  const merchant = useMerchant()
  const { me } = useSession()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const answer = useQuery(queryOf(machines.getMachine, { params: { merchantId: merchant.id, posId } }))
  const machine = answer.data
  // Under "all distributors" it is the machine's own merchant that has a feature or not.
  const owner = useMerchants().find(({ id }) => id === machine?.merchantId)
  return (
    <DetailScreen
      query={answer}
      title={machine?.name}
      aside={machine && <StateSince machine={machine} />}
      subtitle={machine && <Health machine={machine} />}
      actions={
        machine && (
          <>
            {me && roleMay(me.role, 'remoteCommand.write') && (
              <>
                <AuditNowButton posId={posId} />
                <Button<typeof PlaceLink> component={PlaceLink} place={placeOfSending([machine])}>
                  {t('machine:sendCommand')}
                </Button>
              </>
            )}
            <Part fallback={<span className={classes.menu} />}>
              <MachineMenu machine={machine} />
            </Part>
          </>
        )
      }
      banner={
        machine && (
          <>
            {machine.hidden && <HiddenBanner />}
            <MachineBanner machine={machine} />
          </>
        )
      }
      moreTabs={t('machine-act:moreTabs')}
      gone={t('machine-act:code.text')}
      tabs={tabs
        .filter((tab) => me && (!('needs' in tab) || roleMay(me.role, tab.needs)))
        .filter((tab) => !('feature' in tab) || owner?.features.includes(tab.feature))
        .map(({ to, name }) => ({
          to,
          name: t(`shell:screens.${name}`),
          count: name === 'alarms' && machine && machine.openAlarms > 0 ? format.number(machine.openAlarms) : undefined,
        }))}
    />
  )
}

function HiddenBanner() {
  const { t } = useTranslation('machine-act')
  return (
    <section className={classes.banner} data-tone="mute" aria-label={t('column.hidden')}>
      <IconEyeOff size={18} aria-hidden />
      <p className={classes.said}>{t('hidden.banner')}</p>
    </section>
  )
}

/** Its state, and since when it is so. */
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

/** What somebody asks first about a machine, in one line. */
function Health({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['machine', 'vocabulary'])
  const format = useFormat()
  const merchant = useMerchant()
  const { deviceType, serial, firmwareVersion, connection, signalPercent, lastAuditAt, timeZone } = machine
  const hasNetwork = useFeatureOf('network')(machine.merchantId)
  const signal = signalPercent === null || !hasNetwork ? undefined : format.percent(signalPercent / 100)
  const online = connection === 1
  const parts: ReactNode[] = [
    merchant.isAll && machine.merchantName,
    typeNameOf(deviceType),
    <CopyId key="serial" value={serial} />,
    firmwareVersion && t('machine:health.firmware', { version: firmwareVersion }),
    online
      ? signal
        ? t('machine:health.onlineSignal', { signal })
        : t('machine:health.online')
      : t(connection === 0 ? 'machine:health.offline' : 'machine:health.unknown'),
    lastAuditAt ? (
      <span key="audited">
        {t('machine:health.audited')} <When at={lastAuditAt} as="minute" timeZone={timeZone} />
      </span>
    ) : (
      t('machine:health.neverAudited')
    ),
  ].filter(Boolean)
  return (
    <span className={classes.health}>
      {parts.map((part, index) => (
        // Parts of one sentence.
        <Fragment key={index}>
          {index > 0 && <span aria-hidden>·</span>}
          <span>{part}</span>
        </Fragment>
      ))}
    </span>
  )
}
