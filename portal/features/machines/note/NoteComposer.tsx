import { Button, Group, Text, Textarea } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NewNote, notes } from '#contract/machines/note.ts'
import { useCommand } from '#portal/app/api.ts'
import { isLost } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useLivePause } from '#portal/app/live/live.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { newId } from '#portal/app/uuid.ts'
import { LostNote } from '#portal/ui/form/LostNote.tsx'
import { UnsavedGuard } from '#portal/ui/form/UnsavedGuard.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import classes from './NotesTab.module.css'

const longestNote = 2_000

/** A field for a new note; an address that ends in `create` focuses it at once. */
export function NoteComposer({ params }: { params: { merchantId: string; posId: string } }) {
  const { t } = useTranslation('note')
  const format = useFormat()
  const [text, setText] = useKeptState('note', '')
  const field = useRef<HTMLTextAreaElement>(null)
  const go = useGo()
  const isAsked = useLocation({ select: ({ pathname }) => pathname.endsWith('/create') })
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [isAsked])
  // The note's id is created here: after a lost answer, the same note is sent again and never saved twice.
  const id = useRef(newId())
  const save = useCommand(notes.createNote, {
    says: 'note:saved',
    isQuiet: true,
    onDone: () => {
      id.current = newId()
      setText('')
      field.current?.focus()
      if (isAsked) void go({ to: '/devices/$posId/notes', params: { posId: params.posId } }, { replace: true })
    },
  })
  const isDirty = text.trim() !== ''
  const isValid = NewNote.safeParse({ note: text }).success
  useLivePause(isDirty)
  const send = () => {
    if (!isValid || save.isPending) return
    save.mutate(
      { params, body: { id: id.current, note: text.trim() } },
      {
        onError: (error) => {
          if (error.code === 'NoteIdTaken') id.current = newId()
          if (error.status > 0) toast.error(error)
        },
      },
    )
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
  }
  const left = longestNote - text.trim().length
  return (
    <Panel component="form" maw={820} py="part" px="md" shadow="xs" onSubmit={onSubmit}>
      <Textarea
        ref={field}
        label={t('new')}
        placeholder={t('prompt')}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        error={left < 0 ? t('tooLong', { count: -left, number: format.number(-left) }) : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group gap="sm" wrap="nowrap" justify="space-between" mt="xs">
        <Text span c="dimmed" fz="sm" className={classes.left} data-near={left < 200}>
          {t('left', { count: left, number: format.number(Math.max(0, left)) })}
        </Text>
        <Button type="submit" loading={save.isPending} disabled={!isValid}>
          {t('save')}
        </Button>
      </Group>
      {isLost(save.error) && <LostNote />}
      <UnsavedGuard isDirty={isDirty && !save.isPending} />
    </Panel>
  )
}
