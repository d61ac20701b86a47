import { useTranslation } from 'react-i18next'
import classes from './LostNote.module.css'

/**
 * Says that the save could not be confirmed. Its words load with the form: without a connection they could not be
 * fetched.
 */
export function LostNote() {
  const { t } = useTranslation('editing')
  return (
    <p className={classes.lost} role="alert">
      {t('lost.text')}
    </p>
  )
}
