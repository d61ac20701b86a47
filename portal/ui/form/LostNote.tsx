import { useTranslation } from 'react-i18next'
import classes from './LostNote.module.css'

/** Says that nobody knows whether it was saved. It comes with its form: without a connection nothing more can be fetched. */
export function LostNote() {
  const { t } = useTranslation('editing')
  return (
    <p className={classes.lost} role="alert">
      {t('lost.text')}
    </p>
  )
}
