import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Alarm, alarms, type RepairAlarms } from '#contract/alarms/alarm.ts'
import { call } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import type { Undo } from '#portal/app/toast/undo.ts'
import { KeptTextarea } from '#portal/ui/form/KeptTextarea.tsx'
import type { BulkSelection } from '#portal/ui/list/types.ts'
import { useBulkConfirm } from '#portal/ui/list/useBulkConfirm.tsx'
import { isOpen } from './alarmFilters.ts'
import { useAlarmName } from './alarmName.ts'

const longestNote = 500
const paramsOf = ({ merchantId, posId, id }: Alarm) => ({ merchantId, posId, alarmId: id })
const tell = (error: unknown) => {
  toast.error(error)
  throw error
}

/** Repairs alarms in one call, with undo. */
function useRepair() {
  const format = useFormat()
  const client = useQueryClient()
  const reopening = (params: { merchantId: string }, ids: string[]): Undo => ({
    act: async () => {
      const { reopened, openAgain } = await call(alarms.reopenAlarms, { params, body: { ids }, isWhole: true })
      await client.invalidateQueries()
      if (openAgain > 0) toast.warning('editing:undo.openAgain', { count: openAgain, number: format.number(openAgain) })
      return reopened
    },
    says: 'editing:undo.repair',
    values: { count: ids.length, number: format.number(ids.length) },
  })
  return async (selection: RepairAlarms['alarms'], merchantId: string, note: string | undefined) => {
    const params = { merchantId }
    const body = { alarms: selection, ...(note ? { note } : {}) }
    const { repaired: count, ids } = await call(alarms.repairAlarms, { params, body, isWhole: 'ids' in selection })
    await client.invalidateQueries()
    const values = { count, number: format.number(count) }
    if (count === 0) toast.warning('alarm:repair.none')
    else toast.success('alarm:repair.done', values, { undo: reopening(params, ids) })
  }
}

/** Deletes an alarm. `goneId`: it must not be fetched by the refresh afterwards or by an earlier live hint. */
function useRemoval() {
  const client = useQueryClient()
  const [goneId, setGoneId] = useState<string>()
  const remove = async (alarm: Alarm) => {
    setGoneId(alarm.id)
    await call(alarms.deleteAlarm, { params: paramsOf(alarm) }).catch((error: unknown) => {
      setGoneId(undefined)
      return tell(error)
    })
    toast.success('alarm:delete.done')
    await client.invalidateQueries()
  }
  return { goneId, remove }
}

/** What a repair of these alarms changes, and how many of the selected ones are closed already. */
function useConsequence() {
  const { t } = useTranslation('alarm')
  const format = useFormat()
  const nameOf = useAlarmName()
  return (open: readonly [Alarm, ...Alarm[]], closed: number) => {
    const [first] = open
    const count = open.length
    const machines = new Set(open.map(({ posId }) => posId)).size
    const consequence =
      count === 1
        ? t('repair.consequenceOne', { alarm: nameOf(first.code), machine: first.posName })
        : t('repair.consequenceMany', {
            count,
            number: format.number(count),
            machines: t('machines', { count: machines, number: format.number(machines) }),
          })
    return (
      <>
        {consequence}
        {closed > 0 && <> {t('repair.closed', { count: closed, number: format.number(closed) })}</>}
      </>
    )
  }
}

const isSome = <T,>(items: readonly T[]): items is readonly [T, ...T[]] => items.length > 0

/** Repairing by hand and deleting, each after a confirmation; `dialog` belongs on the screen. */
export function useAlarmActs() {
  const { t } = useTranslation(['alarm', 'editing'])
  const format = useFormat()
  const nameOf = useAlarmName()
  const { me } = useSession()
  const merchant = useMerchant()
  const { ask, askBulk, dialog } = useBulkConfirm()
  const note = useRef<HTMLTextAreaElement>(null)
  const repairWith = useRepair()
  const repair = (selection: RepairAlarms['alarms'], merchantId: string) =>
    repairWith(selection, merchantId, note.current?.value.trim())
  const { goneId, remove } = useRemoval()
  const consequenceOf = useConsequence()

  const noteField = (
    <KeptTextarea
      name="repair note"
      ref={note}
      data-autofocus
      label={t('repair.note')}
      placeholder={t('repair.notePrompt')}
      maxLength={longestNote}
      autosize
      minRows={2}
      maxRows={6}
    />
  )
  const askRepair = (items: readonly Alarm[], onDone?: () => void) => {
    const open = items.filter(isOpen)
    if (!isSome(open)) return toast.warning('alarm:repair.none')
    const [first] = open
    const many = { count: open.length, number: format.number(open.length) }
    ask({
      title: t('repair.title', many),
      consequence: consequenceOf(open, items.length - open.length),
      confirm: t('repair.confirm', many),
      dismiss: { how: 'leave' },
      children: noteField,
      act: async () => {
        // If all alarms belong to one merchant, an undo is that merchant's call too.
        const isOfOne = open.every(({ merchantId }) => merchantId === first.merchantId)
        await repair({ ids: open.map(({ id }) => id) }, isOfOne ? first.merchantId : merchant.id).catch(tell)
        onDone?.()
      },
    })
  }

  /** Repairs all alarms that match the filters. */
  const askRepairMatching = (bulkSelection: Extract<BulkSelection<Alarm>, { kind: 'matching' }>, onDone: () => void) =>
    askBulk(bulkSelection, onDone, {
      question: (many) => ({
        title: t('alarm:repair.title', many),
        consequence: t('editing:bulk.repairMatching', many),
        confirm: t('alarm:repair.confirm', many),
        dismiss: { how: 'leave' },
        children: noteField,
      }),
      act: (selection) => repair(selection, merchant.id),
    })

  const askDelete = (alarm: Alarm, onDone: () => void) =>
    ask({
      title: t('delete.title'),
      consequence: t('delete.consequence', {
        alarm: nameOf(alarm.code),
        machine: alarm.posName,
        count: alarm.count,
        number: format.number(alarm.count),
      }),
      confirm: t('delete.confirm'),
      dismiss: { how: 'keep' },
      isDanger: true,
      act: async () => {
        await remove(alarm)
        onDone()
      },
    })

  return {
    mayChange: Boolean(me && roleMay(me.role, 'alarm.write')),
    goneId,
    askRepair,
    askRepairMatching,
    askDelete,
    dialog,
  }
}
