import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './SessionPage.module.css'
import { SessionPage } from './SessionPage.tsx'
import { useSession } from './useSession.ts'

/** Says that somebody is signed in and no merchant is theirs yet; lets them look again, or out. */
export default function NoMerchantPage({ retry }: { retry: () => unknown }) {
  const { t } = useTranslation('session')
  const { me, logout } = useSession()
  return (
    <div className={classes.alone}>
      <SessionPage title={t('noMerchant.title')} text={t('noMerchant.text', { email: me?.email })}>
        <Button size="md" onClick={() => void retry()}>
          {t('noMerchant.retry')}
        </Button>
        <Button size="md" variant="default" onClick={() => void logout()}>
          {t('logout')}
        </Button>
      </SessionPage>
    </div>
  )
}
