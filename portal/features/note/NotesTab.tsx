import { Button, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewNote, type Note, notes } from '#contract/note.ts'
import { call, keyOf, useCommand } from '../../app/api.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useLivePause } from '../../app/live.ts'
import { useMerchant, useMerchantOf } from '../../app/merchant.tsx'
import { newId } from '../../app/uuid.ts'
import { useConfirm } from '../../ui/ConfirmDialog.tsx'
import { EmptyState, ErrorState } from '../../ui/ErrorState.tsx'
import { UnsavedGuard } from '../../ui/form/UnsavedGuard.tsx'
import { toast } from '../../ui/toast.tsx'
import { When } from '../../ui/When.tsx'
import classes from './NotesTab.module.css'

const LostNote = lazy(() => import('../../ui/form/Conflict.tsx').then(({ LostNote }) => ({ default: LostNote })))

const size = 20
const longestNote = 2_000

/** What people wrote about a machine, newest first, and a place to write. */
export default function NotesTab() {
  const { t } = useTranslation('note')
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  const answer = useInfiniteQuery({
    queryKey: keyOf(notes.listNotes, { params, query: { size } }),
    queryFn: ({ pageParam, signal }) =>
      call(notes.listNotes, { params, query: { page: pageParam, size, ord: 'creationDate', ordType: 'DESC' } }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * size < total ? pages.length + 1 : undefined),
  })
  const remove = useCommand(notes.deleteNote, { says: 'note:deleted' })
  const { ask, dialog } = useConfirm()
  const written = [...new Map(answer.data?.pages.flatMap(({ items }) => items).map((note) => [note.id, note])).values()]
  const { timeZone } = useMerchantOf(written[0]?.merchantId)
  const askDelete = (note: Note) =>
    ask({
      title: t('delete.title'),
      consequence: (
        <>
          {t('delete.consequence')}
          <blockquote className={classes.quote}>{note.note}</blockquote>
        </>
      ),
      confirm: t('delete.confirm'),
      isDanger: true,
      act: () => remove.mutateAsync({ params: { ...params, noteId: note.id } }),
    })
  return (
    <div className={classes.notes}>
      <Composer params={params} />
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} retry={answer.refetch} />
      ) : answer.isPending ? (
        <div className={classes.waiting} aria-busy="true" />
      ) : written.length === 0 ? (
        <EmptyState title={t('empty.title')} text={t('empty.text')} />
      ) : (
        <>
          <ul className={classes.list} aria-label={t('list')}>
            {written.map((note) => (
              <li key={note.id} className={classes.note}>
                <div className={classes.head}>
                  <strong className={classes.author}>{note.createdBy}</strong>
                  {note.isMine && <span className={classes.mine}>{t('mine')}</span>}
                  <span className={classes.at}>
                    <When at={note.creationDate} timeZone={timeZone} />
                  </span>
                  {note.isMine && (
                    <button
                      type="button"
                      className={classes.delete}
                      aria-label={t('delete.title')}
                      title={t('delete.title')}
                      onClick={() => askDelete(note)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </button>
                  )}
                </div>
                <p className={classes.text}>{note.note}</p>
              </li>
            ))}
          </ul>
          {answer.hasNextPage && (
            <Button variant="subtle" loading={answer.isFetchingNextPage} onClick={() => void answer.fetchNextPage()}>
              {t('earlier')}
            </Button>
          )}
        </>
      )}
      {dialog}
    </div>
  )
}

/** A field for a new note; the address that ends in `create` goes to it at once. */
function Composer({ params }: { params: { merchantId: string; posId: string } }) {
  const { t } = useTranslation('note')
  const format = useFormat()
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const navigate = useNavigate()
  const isAsked = useLocation({ select: ({ pathname }) => pathname.endsWith('/create') })
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [isAsked])
  // The note's id is made here: when the answer is lost, the same note is sent again and never written twice.
  const id = useRef(newId())
  const save = useCommand(notes.createNote, {
    says: 'note:saved',
    isQuiet: true,
    onDone: () => {
      id.current = newId()
      setText('')
      field.current?.focus()
      if (isAsked)
        void navigate({ to: '/devices/$posId/notes', params: { posId: params.posId }, replace: true } as never)
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
    <form className={classes.composer} onSubmit={onSubmit}>
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
      <div className={classes.under}>
        <span className={classes.left} data-near={left < 200}>
          {t('left', { count: left, number: format.number(Math.max(0, left)) })}
        </span>
        <Button type="submit" loading={save.isPending} disabled={!isValid}>
          {t('save')}
        </Button>
      </div>
      {save.error?.status === 0 && (
        <Suspense>
          <LostNote />
        </Suspense>
      )}
      <UnsavedGuard isDirty={isDirty && !save.isPending} />
    </form>
  )
}
