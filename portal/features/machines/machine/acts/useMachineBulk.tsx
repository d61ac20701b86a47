import {
  IconBan,
  IconBuilding,
  IconEye,
  IconEyeOff,
  IconLayoutGrid,
  IconPackageOff,
  IconPackages,
  IconQrcode,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noVendAssignments } from '#contract/catalogue/no-vend-assignment.ts'
import { planogramAssignments } from '#contract/catalogue/planogram-assignment.ts'
import type { MachineRow } from '#contract/machines/machine.ts'
import { type ManyOutcome, machineActs } from '#contract/machines/machine-acts.ts'
import { clients } from '#contract/merchants/client.ts'
import { call } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { NoVendChoice } from '#portal/features/catalogue/no-vend-profile/NoVendChoice.tsx'
import { PlanogramChoice } from '#portal/features/catalogue/planogram/PlanogramChoice.tsx'
import { usePriceOffer } from '#portal/features/catalogue/planogram/usePriceOffer.tsx'
import { GroupSelect } from '#portal/features/merchants/group/GroupSelect.tsx'
import { AssignedChoice } from '#portal/ui/assigned/AssignedChoice.tsx'
import { inParts } from '#portal/ui/list/inParts.ts'
import type { BulkAction, BulkSelection, selectionIn } from '#portal/ui/list/types.ts'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { useMachineActs } from './useMachineActs.tsx'

const LabelsDialog = lazyPart(() => import('./LabelsDialog.tsx'))

/** Maximum number of labels per print. */
const mostLabels = 500
type Target = 'group' | 'client' | 'planogram' | 'noVend'
type Choose = (id: string | null) => void

type AskBulk = ReturnType<typeof useMachineActs>['askBulk']

/** Assigns the machines to a group, client, planogram or no-vend profile, or with null to none. */
function assign(merchantId: string, target: Target, machines: ReturnType<typeof selectionIn>, to: string | null) {
  const isWhole = 'ids' in machines
  const params = { merchantId }
  const selection = { machines }
  if (target === 'group')
    return call(machineActs.setMachineGroups, { params, body: { ...selection, groupId: to }, isWhole })
  if (target === 'client')
    return call(machineActs.setMachineClients, { params, body: { ...selection, clientId: to }, isWhole })
  if (target === 'noVend')
    return call(noVendAssignments.setNoVendProfiles, { params, body: { ...selection, noVendProfileId: to }, isWhole })
  return call(planogramAssignments.setMachinePlanograms, { params, body: { ...selection, planogramId: to }, isWhole })
}

/** Says how many machines have changed, with an undo that restores what each had before. */
function useAssignedMessage() {
  const format = useFormat()
  const client = useQueryClient()
  const { id: merchantId } = useMerchant()
  return async (target: Target, { changed, refused }: ManyOutcome) => {
    await client.invalidateQueries()
    const act = async () => {
      for (const [before, some] of Map.groupBy(changed, (one) => one.before))
        await inParts(
          some.map(({ id }) => id),
          (ids) => assign(merchantId, target, { ids }, before),
        )
      await client.invalidateQueries()
    }
    const many = (count: number) => ({ count, number: format.number(count) })
    if (changed.length > 0)
      toast.success('machine-act:assign.done', many(changed.length), { undo: { act, says: 'machine-act:undone' } })
    else if (refused.length === 0) toast.warning('machine-act:assign.nothing')
    if (refused.length > 0) toast.warning('machine-act:assign.refused', many(refused.length), { isPersistent: true })
  }
}

/** Asks what to assign to the selected machines; then it offers the prices of a planogram. */
function useAssignment(askBulk: AskBulk) {
  const { t } = useTranslation(['machine-act', 'planogram'])
  const { id: merchantId } = useMerchant()
  const announce = useAssignedMessage()
  const prices = usePriceOffer()
  const choice = useRef<string | null>(null)
  const choose: Choose = (id) => {
    choice.current = id
  }
  const questions: Record<
    Target,
    (many: Record<string, unknown>) => { title: string; consequence: string; children: ReactNode }
  > = {
    group: (many) => ({
      title: t('group.title', many),
      consequence: t('group.consequence'),
      children: <GroupChoice choose={choose} />,
    }),
    client: (many) => ({
      title: t('assign.clientTitle', many),
      consequence: t('assign.clientConsequence'),
      children: <ClientChoice choose={choose} />,
    }),
    planogram: (many) => ({
      title: t('planogram:assign.title', many),
      consequence: t('planogram:assign.consequence'),
      children: <PlanogramChoice merchantId={merchantId} choose={choose} />,
    }),
    noVend: (many) => ({
      title: t('noVend.title', many),
      consequence: t('noVend.consequence'),
      children: <NoVendChoice merchantId={merchantId} choose={choose} />,
    }),
  }
  const askAssign = (target: Target) => (machines: BulkSelection<MachineRow>, clear: () => void) => {
    choice.current = null
    askBulk(machines, clear, {
      question: (many) => ({
        ...questions[target](many),
        confirm: t('assign.confirm', many),
        dismiss: { how: 'leave' },
      }),
      act: async (selection) => {
        const outcome = await assign(merchantId, target, selection, choice.current)
        await announce(target, outcome)
        const ids = outcome.changed.map(({ id }) => id)
        if (target === 'planogram') prices.offer(choice.current, ids)
      },
    })
  }
  return { askAssign, dialog: prices.dialog }
}

/** Bulk actions on machines; `dialogs` belong on the screen. */
export function useMachineBulk(): { bulk: BulkAction<MachineRow>[]; dialogs: ReactNode } {
  const { t } = useTranslation(['machine-act', 'planogram'])
  const { id: merchantId, features } = useMerchant()
  const { askBulk, askHide, askManageStock, dialog } = useMachineActs()
  const { askAssign, dialog: priceDialog } = useAssignment(askBulk)
  const [labelled, setLabelled] = useState<BulkSelection<MachineRow>>()
  const showsHidden = oneOf(useAddressQuery(), 'hidden') !== undefined

  const vendingActs: BulkAction<MachineRow>[] = [
    {
      key: 'planogram',
      needs: 'planogram.write',
      name: t('planogram:assign.act'),
      icon: <IconLayoutGrid size={15} aria-hidden />,
      run: askAssign('planogram'),
    },
    {
      key: 'noVend',
      needs: 'noVendProfile.write',
      name: t('noVend.act'),
      icon: <IconBan size={15} aria-hidden />,
      run: askAssign('noVend'),
    },
  ]
  const stockActs = (['portal', 'machine', null] as const).map(
    (counter): BulkAction<MachineRow> => ({
      key: counter ? `manageStock.${counter}` : 'stopStock',
      needs: 'machine.write',
      name: t(counter ? `stock.manageBy.${counter}` : 'stock.stop'),
      icon: counter ? <IconPackages size={15} aria-hidden /> : <IconPackageOff size={15} aria-hidden />,
      run: (selection, clear) => askManageStock(selection, clear, merchantId, counter),
    }),
  )
  const unhide: BulkAction<MachineRow> = {
    key: 'unhide',
    needs: 'machine.write',
    name: t('unhide.act'),
    icon: <IconEye size={15} aria-hidden />,
    run: (selection, clear) => askHide(selection, clear, merchantId, false),
  }
  const bulk: BulkAction<MachineRow>[] = [
    {
      key: 'group',
      needs: 'machine.write',
      name: t('group.act'),
      icon: <IconUsersGroup size={15} aria-hidden />,
      run: askAssign('group'),
    },
    {
      key: 'client',
      needs: 'machine.write',
      name: t('assign.client'),
      icon: <IconBuilding size={15} aria-hidden />,
      run: askAssign('client'),
    },
    ...(features.has('vending') ? vendingActs : []),
    ...(features.has('productStock') ? stockActs : []),
    {
      key: 'hide',
      needs: 'machine.write',
      name: t('hide.act'),
      icon: <IconEyeOff size={15} aria-hidden />,
      run: (selection, clear) => askHide(selection, clear, merchantId, true),
    },
    ...(showsHidden ? [unhide] : []),
    {
      key: 'labels',
      needs: 'machine.read',
      name: t('labels.act'),
      icon: <IconQrcode size={15} aria-hidden />,
      most: mostLabels,
      run: setLabelled,
    },
  ]
  // Closed after its key event: otherwise the list would clear its selection on the same key.
  const close = () => void setTimeout(() => setLabelled(undefined))
  const dialogs = (
    <>
      {dialog}
      {priceDialog}
      {labelled && (
        <Part failed={(again) => <PartFailure again={again} close={close} />}>
          <LabelsDialog selection={labelled} merchantId={merchantId} close={close} />
        </Part>
      )}
    </>
  )
  return { bulk, dialogs }
}

function GroupChoice({ choose }: { choose: Choose }) {
  const { t } = useTranslation('machine-act')
  const { id: merchantId } = useMerchant()
  const [value, setValue] = useState<string | null>(null)
  return (
    <GroupSelect
      data-autofocus
      label={t('group.label')}
      merchantId={merchantId}
      none={t('group.none')}
      value={value}
      choose={(id) => {
        setValue(id)
        choose(id)
      }}
    />
  )
}

function ClientChoice({ choose }: { choose: Choose }) {
  const { t } = useTranslation('machine-act')
  const { id: merchantId } = useMerchant()
  return (
    <AssignedChoice
      list={clients.listClients}
      label={t('fact.client')}
      noneLabel={t('assign.noClient')}
      merchantId={merchantId}
      choose={choose}
    />
  )
}
