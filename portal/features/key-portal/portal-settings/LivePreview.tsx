import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import classes from '../KeyPortal.module.css'
import { KeyFrame } from './KeyFrame.tsx'
import { type Draft, useDraftPreview } from './useDraftPreview.ts'

const waitMs = 300

/** The customers' app on a phone, beside the form. It follows what is typed. */
export default function LivePreview({ merchantId, values, files }: Draft) {
  const { t } = useTranslation('portal-settings')
  const [settled] = useDebouncedValue(values, waitMs)
  const { preview } = useDraftPreview({ merchantId, values: settled, files })
  return (
    <aside className={classes.live} aria-label={t('preview.title')}>
      <div className={classes.phone}>{preview && <KeyFrame preview={preview} title={t('preview.phone')} />}</div>
    </aside>
  )
}
