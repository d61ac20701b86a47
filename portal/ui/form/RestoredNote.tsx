import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './RestoredNote.module.css'

/** Says that a form shows what was typed before the sign-in. */
export function RestoredNote({ discard }: { discard: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <div className={classes.restored} role="status">
      <span>{t('form.restored')}</span>
      <Button variant="default" size="xs" onClick={discard}>
        {t('form.discard')}
      </Button>
    </div>
  )
}
