import { IconCloudOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from './app/session.ts'

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether the browser has a network. */
export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)

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
