import type { SpotlightActionData } from '@mantine/spotlight'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { remoteCommands } from '#contract/commands/remote-command.ts'
import type { MachineRow } from '#contract/machines/machine.ts'
import { contains } from '#domain/frame/folded.ts'
import { call } from '#portal/app/api.ts'
import { isEnabled } from '#portal/app/enabled.ts'
import { useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { type Confirmation, ConfirmDialog } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { actionOfText, beginnings, type MachineAct, machineActs } from './paletteActs.ts'

const RefundLastVend = lazyPart(
  () => import('#portal/features/sales/failed-vend/RefundLastVend.tsx'),
  ['transaction', 'refund', 'vocabulary', 'errors'],
)

/** Machines that each action is offered for: with the action named, and without. */
const mostNamed = 5
const mostUnnamed = 1

/** The palette's own actions: on the machines found, after a confirmation, and screens that start something. */
export function usePaletteActs({
  text,
  setText,
  close,
}: {
  text: string
  setText: (text: string) => void
  close: () => void
}) {
  const { t } = useTranslation('palette')
  const { me } = useSession()
  const merchant = useMerchant()
  const client = useQueryClient()
  const go = useGo()
  const [question, setQuestion] = useState<Confirmation>()
  const [refunded, refund] = useState<MachineRow>()
  const isAsking = useRef(false)

  const may = useMemo(
    () =>
      <A extends (typeof machineActs)[number] | (typeof beginnings)[number]>(acts: readonly A[]) =>
        acts.filter((act) => me && roleMay(me.role, act.needs) && isEnabled(act, merchant)),
    [me, merchant],
  )
  const acts = may(machineActs)
  const parsed = actionOfText(
    text,
    acts.map((act) => [act, t(`verb.${act.key}`)] as const),
  )

  const askFor = ({ key, type }: MachineAct, machine: MachineRow) => {
    isAsking.current = true
    if (type === 'refund') return refund(machine)
    const { id, name, merchantId } = machine
    setQuestion({
      title: t(`ask.${key}.title`, { machine: name }),
      consequence: t(`ask.${key}.consequence`),
      confirm: t(`ask.${key}.confirm`),
      dismiss: { how: 'dontSend' },
      act: async () => {
        await call(remoteCommands.sendRemoteCommand, {
          params: { merchantId },
          body: { machines: { ids: [id] }, order: { type, parameters: {} } },
          isWhole: true,
        }).catch((error: unknown) => {
          toast.error(error)
          throw error
        })
        toast.success('palette:sent', { machine: name })
        await client.invalidateQueries()
      },
    })
  }

  const icon = (Icon: MachineAct['icon']) => <Icon size={18} stroke={1.6} aria-hidden />
  return {
    /** The search text, without the verb. */
    search: parsed.search,
    isNamed: parsed.acts !== undefined,
    actions: (machines: readonly MachineRow[]): SpotlightActionData[] => [
      ...(parsed.acts && parsed.search === ''
        ? parsed.acts.map((act) => ({
            id: `act ${act.key}`,
            label: t(`verb.${act.key}`),
            description: t('choose'),
            leftSection: icon(act.icon),
            closeSpotlightOnTrigger: false,
            onClick: () => setText(`${t(`verb.${act.key}`)} `),
          }))
        : (parsed.acts ?? acts).flatMap((act) =>
            machines.slice(0, parsed.acts ? mostNamed : mostUnnamed).map((machine) => ({
              id: `act ${act.key} ${machine.id}`,
              label: t(`of.${act.key}`, { machine: machine.name }),
              description: machine.serial,
              leftSection: icon(act.icon),
              onClick: () => askFor(act, machine),
            })),
          )),
      ...may(beginnings)
        .map((act) => ({ act, label: t(`begin.${act.key}`) }))
        .filter(({ label }) => text.trim() !== '' && contains(label, text))
        .map(({ act, label }) => ({
          id: `begin ${act.key}`,
          label,
          leftSection: icon(act.icon),
          onClick: () => void go(act.place),
        })),
    ],
    /** The palette has closed: its confirmation stays open. */
    onPaletteClose: () => !isAsking.current && close(),
    dialog: (
      <>
        <ConfirmDialog question={question} close={close} />
        {refunded && (
          <Part>
            <RefundLastVend machine={refunded} close={close} />
          </Part>
        )}
      </>
    ),
  }
}
