import { useTranslation } from 'react-i18next'
import classes from '../KeyPortal.module.css'
import { KeyFrame, type ShownPortal } from './KeyFrame.tsx'

/** The customers' app on a phone and on a desktop. */
export function PreviewFrames({ shown }: { shown: ShownPortal }) {
  const { t } = useTranslation('portal-settings')
  return (
    <div className={classes.frames}>
      <div>
        <h2 className={classes.frameTitle}>{t('preview.phone')}</h2>
        <div className={classes.phone}>
          <KeyFrame shown={shown} title={t('preview.phone')} />
        </div>
      </div>
      <div className={classes.desktop}>
        <h2 className={classes.frameTitle}>{t('preview.desktop')}</h2>
        <div className={classes.window}>
          <KeyFrame shown={shown} title={t('preview.desktop')} />
        </div>
      </div>
    </div>
  )
}
