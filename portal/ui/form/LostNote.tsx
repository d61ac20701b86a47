import { useTranslation } from 'react-i18next'
import { Note } from '#portal/ui/page/Note.tsx'

/**
 * Says that the save could not be confirmed. Its words load with the form: without a connection they could not be
 * fetched.
 */
export function LostNote() {
  const { t } = useTranslation('editing')
  return (
    <Note tone="warn" mt="md" fw={500} role="alert">
      {t('lost.text')}
    </Note>
  )
}
