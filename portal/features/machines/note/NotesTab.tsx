import { Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Note, noteColumns, noteOrds, notes } from '#contract/machines/note.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant, useMerchantOf } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { NoteComposer } from './NoteComposer.tsx'
import classes from './NotesTab.module.css'

/** The notes of a machine, newest first, below a field for a new one. */
export default function NotesTab() {
  const { t } = useTranslation('note')
  const merchant = useMerchant()
  const { me } = useSession()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { id: merchantId } = merchant
  const { ask, dialog } = useConfirm()
  const { mutateAsync: remove } = useCommand(notes.deleteNote, { says: 'note:deleted' })
  const columns = useMemo(() => {
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
        dismiss: { how: 'keep' },
        isDanger: true,
        act: () => remove({ params: { merchantId, posId, noteId: note.id } }),
      })
    return recordColumns<Note>(noteColumns, noteOrds, {
      lines: ['createdBy', 'creationDate'],
      looks: {
        note: { label: undefined, cell: ({ note }) => <p className={classes.text}>{note}</p> },
        createdBy: {
          width: 200,
          cell: ({ createdBy, isMine }) => (
            <>
              {createdBy ?? t('ui:provider')}{' '}
              {isMine && (
                <Text span px={7} bdrs={5} bg="var(--gold-soft)" c="gold" fz="xs">
                  {t('mine')}
                </Text>
              )}
            </>
          ),
        },
        creationDate: { align: undefined, width: 130, cell: (note) => <WrittenAt note={note} /> },
        delete: {
          width: 70,
          card: 'badge',
          cell: (note) =>
            note.isMine && (
              <button
                type="button"
                className={classes.delete}
                aria-label={t('delete.title')}
                title={t('delete.title')}
                onClick={() => askDelete(note)}
              >
                <IconTrash size={16} aria-hidden />
              </button>
            ),
        },
      },
    })
  }, [t, ask, remove, merchantId, posId])
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      {
        key: 'createdBy',
        kind: 'select',
        name: t('column.createdBy'),
        values: me ? [me.id] : [],
        options: me ? [{ value: me.id, label: t('filter.mine') }] : [],
      },
    ],
    [t, me],
  )
  return (
    <Stack gap="part">
      <NoteComposer params={{ merchantId, posId }} />
      <ListScreen
        id="notes"
        title={t('list')}
        isEmbedded
        exports="notes"
        row={notes.listNotes}
        params={{ posId }}
        columns={columns}
        filters={filters}
        order={{ ord: 'creationDate', ordType: 'DESC' }}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      {dialog}
    </Stack>
  )
}

/** Its creation time, in its merchant's zone. */
function WrittenAt({ note }: { note: Note }) {
  const { timeZone } = useMerchantOf(note.merchantId)
  return <When at={note.creationDate} timeZone={timeZone} />
}
