import { type FunctionComponent, useMemo } from 'react'
import type { Permission } from '#contract/access.ts'
import { isEnabled, type Requirement } from '#portal/app/enabled.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { type PanelKind, usePanel } from '#portal/app/panel.ts'
import { userMay } from '#portal/app/session/may.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { PanelContext } from '#portal/ui/panel/PanelContext.ts'
import { PanelFrame } from '#portal/ui/panel/PanelFrame.tsx'
import { usePanelFocus } from '#portal/ui/panel/usePanelFocus.ts'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'

interface PanelRow extends Requirement {
  needs: Permission
  /** `id` as the address names it. */
  Content: FunctionComponent<{ id: string }>
}

/** The content of each kind of panel, and who sees it. */
const panels: Record<PanelKind, PanelRow> = {
  machine: {
    needs: 'machine.read',
    Content: lazyPart(
      () => import('#portal/panels/MachinePanel.tsx'),
      [
        'machine',
        'machine-act',
        'alarm',
        'audit',
        'cash',
        'stock',
        'transaction',
        'machine-event',
        'remote-command',
        'editing',
        'vocabulary',
        'errors',
      ],
    ),
  },
  alarm: {
    needs: 'alarm.read',
    Content: lazyPart(
      () => import('#portal/panels/AlarmPanel.tsx'),
      ['alarm', 'machine', 'machine-event', 'remote-command', 'editing', 'vocabulary', 'errors'],
    ),
  },
  transaction: {
    needs: 'transaction.read',
    feature: 'transactionDetails',
    Content: lazyPart(
      () => import('#portal/panels/TransactionPanel.tsx'),
      ['transaction', 'refund', 'vocabulary', 'errors'],
    ),
  },
  media: {
    needs: 'media.read',
    feature: 'customerMedia',
    Content: lazyPart(
      () => import('#portal/panels/MediaPanel.tsx'),
      ['media', 'refund', 'transaction', 'vocabulary', 'form', 'errors'],
    ),
  },
  claim: {
    needs: 'refund.read',
    feature: 'customerMedia',
    Content: lazyPart(() => import('#portal/panels/ClaimPanel.tsx'), ['claim', 'machine-event', 'form', 'errors']),
  },
  collection: {
    needs: 'collection.read',
    Content: lazyPart(
      () => import('#portal/panels/CollectionPanel.tsx'),
      ['cash-collection', 'vocabulary', 'form', 'errors'],
    ),
  },
}

/** The record that the address names in a panel, beside the screen. */
export default function PanelHost() {
  const { panel, close } = usePanel()
  usePanelFocus(panel)
  const { me } = useSession()
  const merchant = useMerchant()
  const open = useMemo(() => panel && { key: panel, close }, [panel, close])
  const row = open && panels[open.key.kind]
  if (!row || !me || !userMay(me, row.needs) || !isEnabled(row, merchant)) return null
  const { Content } = row
  return (
    <PanelContext value={open}>
      <Part
        // Its place is there before its content, so that the keys work at once.
        fallback={<PanelFrame title={undefined}>{null}</PanelFrame>}
        failed={(again) => <PartFailure again={again} close={close} />}
      >
        <Content key={open.key.kind} id={open.key.id} />
      </Part>
    </PanelContext>
  )
}
