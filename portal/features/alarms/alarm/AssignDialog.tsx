import { Button, Checkbox, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Alarm } from '#contract/alarms/alarm.ts'
import { alarmCare } from '#contract/alarms/alarm-care.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { Sheet } from '#portal/ui/dialog/Sheet.tsx'
import { KeptTextarea } from '#portal/ui/form/KeptTextarea.tsx'

const longestNote = 500

/** Assigns an alarm to a user, who may get a mail with a link to it, or removes its assignee. */
export function AssignDialog({ alarm, close }: { alarm: Alarm; close: () => void }) {
  const { t } = useTranslation(['alarm', 'shell', 'ui'])
  const form = useId()
  const params = { merchantId: alarm.merchantId, posId: alarm.posId, alarmId: alarm.id }
  const { data } = useQuery(queryOf(alarmCare.listAlarmAssignees, { params }))
  const [userId, choose] = useState(alarm.assigneeId)
  const [hasMail, setMail] = useState(true)
  const [note, setNote] = useState('')
  const assign = useCommand(alarmCare.assignAlarm, {
    says: ({ assigneeId, assigneeName }) =>
      assigneeId
        ? { key: `alarm:assign.${hasMail ? 'sent' : 'done'}`, values: { name: assigneeName ?? '' } }
        : { key: 'alarm:assign.ended' },
    onDone: close,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = note.trim()
    assign.mutate({ params, body: { userId, mail: hasMail && userId !== null, ...(text && { note: text }) } })
  }
  return (
    <Sheet
      title={t('alarm:assign.title')}
      close={close}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('ui:cancel')}
          </Button>
          <Button type="submit" form={form} loading={assign.isPending} disabled={!userId && !alarm.assigneeId}>
            {t(hasMail && userId ? 'alarm:assign.send' : 'alarm:assign.do')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Stack gap="md">
          <Select
            label={t('alarm:care.assignee')}
            placeholder={t('alarm:assign.none')}
            data={(data ?? []).map(({ id, name, role }) => ({
              value: id,
              label: `${name} · ${t(`shell:roles.${role}`)}`,
            }))}
            value={userId}
            onChange={choose}
            searchable
            clearable
            comboboxProps={{ withinPortal: true }}
            data-autofocus
          />
          <Checkbox
            label={t('alarm:assign.mail')}
            checked={hasMail}
            onChange={(event) => setMail(event.currentTarget.checked)}
          />
          {hasMail && (
            <KeptTextarea
              name={`alarm note ${alarm.id}`}
              label={t('alarm:repair.note')}
              placeholder={t('alarm:assign.prompt')}
              maxLength={longestNote}
              autosize
              minRows={2}
              maxRows={6}
              onText={setNote}
            />
          )}
        </Stack>
      </form>
    </Sheet>
  )
}
