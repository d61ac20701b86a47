import { useTranslation } from 'react-i18next'
import { Missing } from './Missing.tsx'

/** The address of a record's page has an id that no record can have. */
export default function MissingAddress() {
  const { t } = useTranslation('errors')
  return <Missing title={t('NotFound')} text={t('wrongAddress')} />
}
