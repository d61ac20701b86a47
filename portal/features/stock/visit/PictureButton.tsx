import { Button, FileButton, Group } from '@mantine/core'
import { IconCamera, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toast } from '#portal/app/toast/toast.tsx'
import classes from './Visit.module.css'
import { visitPicture } from './visitPicture.ts'

interface Props {
  /** A JPEG in base64. */
  picture: string | null
  choose: (picture: string | null) => void
}

/** A picture from the phone's camera, or a file. */
export function PictureButton({ picture, choose }: Props) {
  const { t } = useTranslation('visit')
  const take = (file: File | null) => {
    if (file) visitPicture(file).then(choose, () => toast.error('visit:picture.broken'))
  }
  if (picture)
    return (
      <Group gap="sm" wrap="nowrap" className={classes.picture}>
        <img src={`data:image/jpeg;base64,${picture}`} alt={t('picture.name')} />
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => choose(null)}>
          {t('picture.remove')}
        </Button>
      </Group>
    )
  return (
    <FileButton accept="image/*" onChange={take}>
      {(props) => (
        <Button {...props} variant="default" size="md" leftSection={<IconCamera size={18} aria-hidden />}>
          {t('picture.take')}
        </Button>
      )}
    </FileButton>
  )
}
