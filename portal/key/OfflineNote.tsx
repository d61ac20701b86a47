import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOnline } from './app/online.ts'
import { useSession } from './app/session.ts'

/** Says that what is shown was seen earlier. */
export function OfflineNote() {
  const { t } = useTranslation('key-app')
  const isAway = useSession() === 'away'
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline || isAway ? (
        <p className="offline">
          <IconCloudOff aria-hidden />
          {isOnline ? t('offline.server') : t('offline.note')}
        </p>
      ) : null}
    </div>
  )
}
