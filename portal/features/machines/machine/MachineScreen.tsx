import { Box, Button, Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { Machine } from '#contract/machines/machine.ts'

import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchants } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { AuditNowButton } from '#portal/features/audits/audit/AuditNowButton.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { CommandButtons } from '../../commands/remote-command/CommandButtons.tsx'
import classes from './Machine.module.css'
import { MachineBanner } from './MachineBanner.tsx'
import { Health, StateSince } from './MachineHealth.tsx'
import { type MachinePage, machineTabs } from './machineTabs.ts'
import { ReassociationBanner } from './ReassociationBanner.tsx'
import { useMachine } from './useMachine.ts'

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
                <CommandButtons machine={machine} />
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
export function VisitButton({ machine }: { machine: Machine }) {
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
