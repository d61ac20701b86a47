import { ActionIcon, Menu } from '@mantine/core'
import {
  IconCalculator,
  IconDots,
  IconEye,
  IconEyeOff,
  IconFileTypePdf,
  IconHistory,
  IconKey,
  IconPackages,
  IconQrcode,
  IconRefreshAlert,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Permission, roleMay } from '#contract/access.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { machineActs } from '#contract/machines/machine-acts.ts'
import { useCommand } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { useMachineActs } from './useMachineActs.tsx'

const QrDialog = lazyPart(() => import('./QrDialog.tsx'))
const LabelsDialog = lazyPart(() => import('./LabelsDialog.tsx'))

/** The actions of a machine that have no button of their own. */
export default function MachineMenu({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['machine-act', 'shell'])
  const { me } = useSession()
  const go = useGo()
  const [isQrShown, setQrShown] = useState(false)
  const [isLabelled, setLabelled] = useState(false)
  const { hide, askReassociation, askReset, askDelete, dialog } = useMachineActs()
  const manageStock = useCommand(machineActs.setManageStock, {
    says: ({ manageStock: isOn }) => ({ key: `machine-act:stock.${isOn ? 'on' : 'off'}` }),
  })
  const countStock = useCommand(machineActs.setManageStock, {
    says: ({ stockCountedBy }) => ({ key: `machine-act:stock.by.${stockCountedBy}` }),
  })
  const isCountedByMachine = machine.stockCountedBy === 'machine'
  const may = (permission: Permission) => Boolean(me && roleMay(me.role, permission))
  const { id: posId, merchantId, hidden } = machine
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('menu')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconQrcode size={15} aria-hidden />} onClick={() => setQrShown(true)}>
            {t('qr.act')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileTypePdf size={15} aria-hidden />} onClick={() => setLabelled(true)}>
            {t('labels.act')}
          </Menu.Item>
          {may('machine.write') && (
            <>
              <Menu.Item
                leftSection={<IconPackages size={15} aria-hidden />}
                onClick={() =>
                  manageStock.mutate({ params: { merchantId, posId }, body: { manageStock: !machine.manageStock } })
                }
              >
                {t(machine.manageStock ? 'stock.stop' : 'stock.manage')}
              </Menu.Item>
              {machine.manageStock && (
                <Menu.Item
                  leftSection={<IconCalculator size={15} aria-hidden />}
                  onClick={() =>
                    countStock.mutate({
                      params: { merchantId, posId },
                      body: { manageStock: true, stockCountedBy: isCountedByMachine ? 'portal' : 'machine' },
                    })
                  }
                >
                  {t(isCountedByMachine ? 'stock.letPortal' : 'stock.letMachine')}
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={hidden ? <IconEye size={15} aria-hidden /> : <IconEyeOff size={15} aria-hidden />}
                onClick={() => void hide(machine, !hidden)}
              >
                {t(hidden ? 'unhide.act' : 'hide.act')}
              </Menu.Item>
            </>
          )}
          {may('changeLog.read') && (
            <Menu.Item
              leftSection={<IconHistory size={15} aria-hidden />}
              onClick={() => void go({ to: '/manage/audit-log', search: { subjectId: posId } })}
            >
              {t('shell:screens.auditLog')}
            </Menu.Item>
          )}
          {may('machine.reassociate') && machine.reassociationUntil === null && (
            <Menu.Item leftSection={<IconKey size={15} aria-hidden />} onClick={() => askReassociation(machine)}>
              {t('reassociation.act')}
            </Menu.Item>
          )}
          {(may('machine.reset') || may('machine.delete')) && <Menu.Divider />}
          {may('machine.reset') && (
            <Menu.Item leftSection={<IconRefreshAlert size={15} aria-hidden />} onClick={() => askReset(machine)}>
              {t('reset.act')}
            </Menu.Item>
          )}
          {may('machine.delete') && (
            <Menu.Item
              color="var(--crit)"
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => askDelete(machine)}
            >
              {t('delete.act')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isQrShown && (
        <Part failed={(again) => <PartFailure again={again} close={() => setQrShown(false)} />}>
          <QrDialog machine={machine} close={() => setQrShown(false)} />
        </Part>
      )}
      {isLabelled && (
        <Part failed={(again) => <PartFailure again={again} close={() => setLabelled(false)} />}>
          <LabelsDialog
            selection={{ kind: 'rows', items: [machine], ids: [posId] }}
            merchantId={merchantId}
            close={() => setLabelled(false)}
          />
        </Part>
      )}
      {dialog}
    </>
  )
}
