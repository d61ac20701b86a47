import { Box, Button, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AlarmDetails } from '#contract/alarms/alarm.ts'
import { alarmCare } from '#contract/alarms/alarm-care.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { newId } from '#portal/app/uuid.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { When } from '#portal/ui/time/When.tsx'

/** What users wrote about an alarm, and a field for more. */
export function AlarmComments({ alarm }: { alarm: AlarmDetails }) {
  const { t } = useTranslation(['alarm', 'ui'])
  const mayWrite = useMay(alarmCare.commentAlarm)
  const { comments, timeZone } = alarm
  if (comments.length === 0 && !mayWrite) return null
  return (
    <DrawerPart name={t('alarm:comment.title')}>
      {comments.length > 0 && (
        <Stack component="ul" gap="sm" mb={mayWrite ? 'sm' : 0}>
          {comments.map(({ id, at, by, text }) => (
            <li key={id}>
              <Box className="breaks" style={{ whiteSpace: 'pre-wrap' }}>
                {text}
              </Box>
              <Text c="dimmed" fz="fine">
                {by ?? t('ui:provider')} · <When at={at} timeZone={timeZone} />
              </Text>
            </li>
          ))}
        </Stack>
      )}
      {mayWrite && <Composer key={alarm.id} alarm={alarm} />}
    </DrawerPart>
  )
}

const longestComment = 2_000

function Composer({ alarm }: { alarm: AlarmDetails }) {
  const { t } = useTranslation('alarm')
  const [text, setText] = useKeptState(`alarm comment ${alarm.id}`, '')
  // After a lost answer the same comment is sent again, and never saved twice.
  const id = useRef(newId())
  const save = useCommand(alarmCare.commentAlarm, {
    says: 'alarm:comment.done',
    onDone: () => {
      id.current = newId()
      setText('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const params = { merchantId: alarm.merchantId, posId: alarm.posId, alarmId: alarm.id }
    if (text.trim()) save.mutate({ params, body: { id: id.current, text: text.trim() } })
  }
  return (
    <form onSubmit={submit}>
      <Textarea
        aria-label={t('comment.new')}
        placeholder={t('repair.notePrompt')}
        maxLength={longestComment}
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" mt="xs" loading={save.isPending} disabled={!text.trim()}>
        {t('comment.do')}
      </Button>
    </form>
  )
}
