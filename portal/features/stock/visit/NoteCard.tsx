import { Stack, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { NewVisit } from '#contract/stock/visit.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { PictureButton } from './PictureButton.tsx'
import classes from './Visit.module.css'

interface Props {
  note: string
  picture: NewVisit['picture']
  changeNote: (note: string) => void
  changePicture: (picture: NewVisit['picture']) => void
}

/** A note and a picture of a visit. */
export function NoteCard({ note, picture, changeNote, changePicture }: Props) {
  const { t } = useTranslation('visit')
  return (
    <Card title={t('note.title')}>
      <Stack gap="sm" align="flex-start" className={classes.extra}>
        <Textarea
          aria-label={t('note.title')}
          placeholder={t('note.hint')}
          value={note}
          autosize
          minRows={2}
          maxLength={2000}
          onChange={({ currentTarget }) => changeNote(currentTarget.value)}
        />
        <PictureButton picture={picture} choose={changePicture} />
      </Stack>
    </Card>
  )
}
