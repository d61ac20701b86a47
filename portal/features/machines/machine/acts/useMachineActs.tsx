import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { mostSelected } from '#contract/frame/selection.ts'
import type { Machine, MachineRow } from '#contract/machines/machine.ts'
import { type ManyOutcome, machineActs } from '#contract/machines/machine-acts.ts'
import type { StockCounter } from '#contract/vocabulary/stock.ts'
import { call } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import type { BulkSelection } from '#portal/ui/list/types.ts'
import { useBulkConfirm } from '#portal/ui/list/useBulkConfirm.tsx'
import { DeletionFacts } from './DeletionFacts.tsx'

/** Machines per call. */
export async function inParts(ids: readonly string[], act: (ids: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += mostSelected) await act(ids.slice(from, from + mostSelected))
}

const tell = (error: unknown) => {
  toast.error(error)
  throw error
}

/** Says how many machines were hidden or are visible again, with undo. */
function useHiddenMessage() {
  const format = useFormat()
  const client = useQueryClient()
  return async ({ changed }: ManyOutcome, merchantId: string, hidden: boolean) => {
    await client.invalidateQueries()
    const ids = changed.map(({ id }) => id)
    const values = { count: ids.length, number: format.number(ids.length) }
    const act = async () => {
      await inParts(ids, (some) =>
        call(machineActs.hideMachines, {
          params: { merchantId },
          body: { machines: { ids: some }, hidden: !hidden },
          isWhole: true,
        }),
      )
      await client.invalidateQueries()
    }
    if (ids.length === 0) toast.warning('machine-act:assign.nothing')
    else
      toast.success(`machine-act:${hidden ? 'hide' : 'unhide'}.done`, values, {
        undo: { act, says: 'machine-act:undone' },
      })
  }
}

type Confirm = ReturnType<typeof useBulkConfirm>

/** Acts on the selected machines of a list. */
function useSelectionActs(askBulk: Confirm['askBulk']) {
  const { t } = useTranslation('machine-act')
  const format = useFormat()
  const client = useQueryClient()
  const announceHidden = useHiddenMessage()
  return {
    askHide: (selection: BulkSelection<MachineRow>, clear: () => void, merchantId: string, hidden: boolean) =>
      askBulk(selection, clear, {
        question: (many) => {
          const key = hidden ? 'hide' : 'unhide'
          return {
            title: t(`${key}.title`, many),
            consequence: t(`${key}.consequence`),
            confirm: t(`${key}.confirm`, many),
            dismiss: { how: 'leave' },
          }
        },
        act: async (machines) => {
          const isWhole = 'ids' in machines
          const body = { machines, hidden }
          const outcome = await call(machineActs.hideMachines, { params: { merchantId }, body, isWhole })
          await announceHidden(outcome, merchantId, hidden)
        },
      }),

    /** Starts stock management with who counts, or stops it. */
    askManageStock: (
      selection: BulkSelection<MachineRow>,
      clear: () => void,
      merchantId: string,
      stockCountedBy: StockCounter | null,
    ) =>
      askBulk(selection, clear, {
        question: (many) => ({
          title: t(stockCountedBy ? 'stock.manageTitle' : 'stock.stopTitle', many),
          consequence: stockCountedBy
            ? `${t('stock.manageConsequence')} ${t(`stock.counts.${stockCountedBy}`)}`
            : t('stock.stopConsequence'),
          confirm: t(stockCountedBy ? 'stock.manage' : 'stock.stop'),
          dismiss: { how: 'leave' },
        }),
        act: async (machines) => {
          const isWhole = 'ids' in machines
          const body = { machines, manageStock: stockCountedBy !== null, ...(stockCountedBy && { stockCountedBy }) }
          const { changed } = await call(machineActs.setManageStocks, { params: { merchantId }, body, isWhole })
          await client.invalidateQueries()
          const count = changed.length
          if (count === 0) toast.warning('machine-act:assign.nothing')
          else toast.success('machine-act:stock.done', { count, number: format.number(count) })
        },
      }),
  }
}

/** Acts on one machine. */
function useSingleActs(ask: Confirm['ask']) {
  const { t } = useTranslation('machine-act')
  const client = useQueryClient()
  const go = useGo()
  const announceHidden = useHiddenMessage()
  return {
    hide: async ({ merchantId, id }: Machine, hidden: boolean) => {
      const body = { machines: { ids: [id] }, hidden }
      const outcome = await call(machineActs.hideMachines, { params: { merchantId }, body, isWhole: true }).catch(
        toast.error,
      )
      if (outcome) await announceHidden(outcome, merchantId, hidden)
    },

    askReassociation: ({ merchantId, id: posId, name }: Machine) =>
      ask({
        title: t('reassociation.title', { machine: name }),
        consequence: t('reassociation.consequence'),
        confirm: t('reassociation.act'),
        dismiss: { how: 'leave' },
        act: async () => {
          const params = { merchantId, posId }
          await call(machineActs.allowReassociation, { params, body: { allowed: true } }).catch(tell)
          toast.success('machine-act:reassociation.on')
          await client.invalidateQueries()
        },
      }),

    askReset: ({ merchantId, id: posId, name }: Machine) =>
      ask({
        title: t('reset.title', { machine: name }),
        consequence: t('reset.consequence'),
        confirm: t('reset.act'),
        dismiss: { how: 'leave' },
        isDanger: true,
        act: async () => {
          await call(machineActs.resetMachine, { params: { merchantId, posId } }).catch(tell)
          toast.success('machine-act:reset.done')
          await client.invalidateQueries()
        },
      }),

    askDelete: (machine: Machine) =>
      ask({
        title: t('delete.title', { machine: machine.name }),
        consequence: <DeletionFacts machine={machine} />,
        confirm: t('delete.act'),
        dismiss: { how: 'keep' },
        isDanger: true,
        act: async () => {
          const { merchantId, id: posId, name } = machine
          await call(machineActs.deleteMachine, { params: { merchantId, posId } }).catch(tell)
          // The page is left first: its queries would fail after the deletion.
          await go({ to: '/devices/list' })
          toast.success('machine-act:delete.done', { machine: name })
          await client.invalidateQueries()
        },
      }),
  }
}

/** Hiding, resetting and deleting machines; `dialog` belongs on the screen, whose words include `machine-act` and `editing`. */
export function useMachineActs() {
  const { ask, askBulk, dialog } = useBulkConfirm()
  const single = useSingleActs(ask)
  const selection = useSelectionActs(askBulk)
  return { dialog, ask, askBulk, ...single, ...selection }
}
