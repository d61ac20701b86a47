import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Alarm, alarms } from '#contract/alarm.ts'
import { call } from '../../app/api.ts'
import { ApiError } from '../../app/apiError.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useSession } from '../../app/session/useSession.ts'
import { useConfirm } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOpen } from './alarmFilters.ts'
import { useAlarmName } from './alarmName.ts'
import { inTurn } from './inTurn.ts'

const longestNote = 500
const paramsOf = ({ merchantId, posId, id }: Alarm) => ({ merchantId, posId, alarmId: id })
/** Somebody else was faster; the alarm is as it was wanted. */
const isSettled = (error: unknown) =>
  error instanceof ApiError && (error.code === 'AlarmAlreadyRepaired' || error.code === 'AlarmNotFound')

/** Repairing by hand and deleting, each after a confirmation; `dialog` belongs on the screen. */
export function useAlarmActs() {
  const { t } = useTranslation('alarm')
  const format = useFormat()
  const nameOf = useAlarmName()
  const client = useQueryClient()
  const { me } = useSession()
  const { ask, dialog } = useConfirm()
  const note = useRef<HTMLTextAreaElement>(null)
  // What is being deleted would be asked for in vain, by the refresh below or by a live hint that comes before it.
  const [goneId, setGoneId] = useState<string>()

  const repairAll = async (items: readonly Alarm[]) => {
    const text = note.current?.value.trim()
    const body = text ? { note: text } : {}
    const failures = await inTurn(items, async (alarm) => {
      await call(alarms.repairAlarm, { params: paramsOf(alarm), body }).catch((error: unknown) => {
        if (!isSettled(error)) throw error
      })
    })
    await client.invalidateQueries()
    const count = items.length - failures.length
    if (count > 0) toast.success('alarm:repair.done', { count, number: format.number(count) })
    if (failures.length > 0) {
      toast.error(failures[0])
      throw failures[0]
    }
  }

  const remove = async (alarm: Alarm) => {
    setGoneId(alarm.id)
    await call(alarms.deleteAlarm, { params: paramsOf(alarm) }).catch((error: unknown) => {
      setGoneId(undefined)
      toast.error(error)
      throw error
    })
    toast.success('alarm:delete.done')
    await client.invalidateQueries()
  }

  const askRepair = (items: readonly Alarm[], onDone?: () => void) => {
    const open = items.filter(isOpen)
    const [first] = open
    if (!first) return toast.warning('alarm:repair.none')
    const [count, closed] = [open.length, items.length - open.length]
    const machines = new Set(open.map(({ posId }) => posId)).size
    const consequence =
      count === 1
        ? t('repair.consequenceOne', { alarm: nameOf(first.code), machine: first.posName })
        : t('repair.consequenceMany', {
            count,
            number: format.number(count),
            machines: t('machines', { count: machines, number: format.number(machines) }),
          })
    ask({
      title: t('repair.title', { count, number: format.number(count) }),
      consequence: (
        <>
          {consequence}
          {closed > 0 && <> {t('repair.closed', { count: closed, number: format.number(closed) })}</>}
        </>
      ),
      confirm: t('repair.confirm', { count, number: format.number(count) }),
      children: (
        <Textarea
          ref={note}
          data-autofocus
          label={t('repair.note')}
          placeholder={t('repair.notePrompt')}
          maxLength={longestNote}
          autosize
          minRows={2}
          maxRows={6}
        />
      ),
      act: async () => {
        await repairAll(open)
        onDone?.()
      },
    })
  }

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
      isDanger: true,
      act: async () => {
        await remove(alarm)
        onDone()
      },
    })

  return { mayChange: Boolean(me && roleMay(me.role, 'alarm.write')), goneId, askRepair, askDelete, dialog }
}
